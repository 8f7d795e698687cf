import type { CheckedPaper, StatedNotice, WatchedPaper } from '../../../db/queries/notice-checks.js'
import { standingKinds } from '../../../schemas/notice.js'
import { versionlessDoi } from '../../papers/doi-versions.js'
import { doiIn } from '../../papers/identifiers.js'
import { doiAddress } from '../../papers/paper-address.js'
import { type NoticeSource, SourceError, type SourceContext } from '../source.js'

/** Published forms of one paper that are asked about. */
const maxForms = 3
/** Tells warnings about a published form from those about the paper itself. */
const formReference = 'form:'

/**
 * Asks a source about papers, and about their published forms where it finds papers by DOI: a warning about the article holds for its
 * preprint. It is stated with the DOI of the article.
 * @throws SourceError
 */
export async function checkWithForms (
  { identifiers, dois, batchSize, check }: Pick<NoticeSource, 'identifiers' | 'dois' | 'batchSize' | 'check'>,
  context: SourceContext,
  papers: readonly WatchedPaper[]
): Promise<CheckedPaper[]> {
  const checked = await check(context, papers)
  if (!identifiers.includes('doi') || dois !== undefined) return checked
  const known = new Map(checked.map(paper => [paper.id, paper]))
  const formsOf = new Map(papers.map(paper => [paper.id, publishedForms(paper, known.get(paper.id)?.notices ?? [])]))
  const forms = [...new Set([...formsOf.values()].flat())]
  const knownForms = new Map<string, CheckedPaper>()
  try {
    for (let from = 0; from < forms.length; from += batchSize) {
      const asked = forms.slice(from, from + batchSize).map(doi => ({ ...unknownPaper, id: doi, doi }))
      for (const form of await check(context, asked)) knownForms.set(form.id, form)
    }
  } catch (error) {
    // The DOI of a form that a source rejects must not keep it from being asked about the paper.
    const isRejected = error instanceof SourceError && (error.fault === 'bad_query' || error.fault === 'wrong_answer')
    if (!isRejected || papers.length > 1) throw error
  }
  return papers.flatMap(({ id, stated }) => {
    const [own, ofPaper] = [known.get(id), formsOf.get(id)!]
    const found = ofPaper.flatMap(doi => knownForms.get(doi) ?? [])
    if (own === undefined && found.length === 0) return []
    // A source that does not know the paper, or a form any more, withdraws nothing.
    const isUnknown = (own === undefined && stated.some(reference => !reference.startsWith(formReference))) ||
      ofPaper.some(doi => !knownForms.has(doi) && stated.some(reference => reference.startsWith(`${formReference}${doi} `)))
    const isPartial = isUnknown || [own, ...found].some(each => each?.isPartial === true)
    return [{ id, ...own, notices: [...own?.notices ?? [], ...found.flatMap(warningsOf)], isPartial }]
  })
}

const unknownPaper: Omit<WatchedPaper, 'id' | 'doi'> = {
  pmid: null,
  pmcid: null,
  arxiv: null,
  openalex: null,
  version: null,
  updated: null,
  journal_ref: null,
  created_at: new Date(0),
  stated: []
}

/** The DOIs of a paper's published forms, by what is stored and what the source states now. */
function publishedForms ({ doi, published = [] }: WatchedPaper, notices: readonly StatedNotice[]): string[] {
  const stated = notices.flatMap(notice => notice.kind === 'published' ? notice.doi ?? [] : [])
  const own = doi === null ? null : versionlessDoi(doi)
  const forms = [...published, ...stated].map(doiIn).filter(form => form !== null).filter(form => versionlessDoi(form) !== own)
  return [...new Set(forms)].slice(0, maxForms)
}

/** The warnings about a form, and their end, as its preprint has them. */
const warningsOf = ({ id: doi, notices }: CheckedPaper): StatedNotice[] => notices
  .filter(({ kind }) => standingKinds.has(kind))
  .map(notice => ({ ...notice, reference: `${formReference}${doi} ${notice.reference}`, doi, pmid: null, url: doiAddress(doi) }))
