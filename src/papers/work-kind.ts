import type { PaperRecord } from '../../schemas/paper.js'

/** Whether the records are of different kinds of works, such as a talk and an article, or a thesis and a book. */
export function differsInKind (one: PaperRecord, other: PaperRecord): boolean {
  const [kind, otherKind] = [kindOf(one), kindOf(other)]
  return kind !== undefined && otherKind !== undefined && kind !== otherKind &&
    !mixedKinds.some(kinds => kinds.includes(kind) && kinds.includes(otherKind))
}

/** Some series of books are journals to PubMed, and some proceedings are books to their publishers. */
const mixedKinds: ReadonlyArray<readonly WorkKind[]> = [['article', 'chapter'], ['talk', 'chapter']]

/** Kinds of works by the words of sources and file formats, the more telling ones first: PubMed calls a retraction an article, too. */
const workKinds = {
  notice: /^(?:erratum|corrigendum|retraction|published erratum|retraction of publication|expression of concern)$/i,
  talk: new RegExp(
    '^(?:proceedings-article|inproceedings|conference|paper-conference|cpaper|conf|congress(?:es)?|' +
    '(?:meeting|conference) abstract|abstract)$',
    'i'
  ),
  article: /^(?:journal-article|journal article|article-journal|jour|ejour)$/i,
  thesis: /^(?:thesis|thes|dissertation|(?:phd|masters?)thesis)$/i,
  report: /^(?:report|rprt|techreport|tech_report|report-component)$/i,
  data: /^(?:data|dataset|software|comp|computer program)$/i,
  patent: /^(?:patent|pat)$/i,
  chapter: /^(?:chapter|chap|echap|book-chapter|book-section|book section|incollection|inbook)$/i,
  book: /^(?:book|ebook|monograph|edited-book|reference-book)$/i,
  review: /^peer-review$/i
}
type WorkKind = keyof typeof workKinds

/** The kind of a record's work; undefined if it does not say so. */
export function kindOf ({ metadata: { type, publication_types: types = [] } }: PaperRecord): WorkKind | undefined {
  const stated = [type, ...Array.isArray(types) ? types : []].filter(each => typeof each === 'string')
  // PubMed calls preprints journal articles, too.
  if (stated.some(each => /^preprint$/i.test(each))) return undefined
  return (Object.keys(workKinds) as WorkKind[]).find(kind => stated.some(each => workKinds[kind].test(each)))
}
