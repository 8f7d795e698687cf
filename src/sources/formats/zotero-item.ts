import { isObject } from '../../../schemas/json-object.js'
import { arxivIn, doiIn, idsIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import type { ParseResult } from './format.js'
import { toMetadata } from './metadata.js'
import { authorsOf, type StatedAuthor } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** The name of the source of papers from Zotero. */
export const zoteroOrigin = 'zotero'

/** Items without a publication of their own. */
const attachments: ReadonlySet<unknown> = new Set(['attachment', 'note', 'annotation'])

/** Longer notes in "extra" are cut. */
const maxExtraLength = 5000

/** Whether an item describes a publication. @param data editable JSON of an item */
export const isPublication = (data: Readonly<Record<string, unknown>>): boolean => !attachments.has(data.itemType)

/**
 * Reads an item of Zotero's Web API. Zotero has no fields for PMID and PMCID; people and translators write them in "extra".
 * @param data editable JSON of an item @see https://api.zotero.org/schema
 */
export function readZoteroItem (data: Readonly<Record<string, unknown>>): ParseResult {
  const text = (...names: string[]) =>
    names.map(name => data[name]).filter(value => typeof value === 'string').find(value => value !== '')
  const title = plainText(text('title', 'caseName', 'nameOfAct', 'subject') ?? '')
  if (title === '') return { reason: 'title is missing' }
  const notes = notesIn((text('extra') ?? '').slice(0, maxExtraLength))
  const noted = (name: string) => notes.get(name.toLowerCase())
  const url = webAddress(text('url'))
  const doi = doiIn(text('DOI')) ?? doiIn(noted('DOI')) ?? (/doi\.org\//i.test(url ?? '') ? doiIn(url) : null)
  const ids = idsIn([doi, url])
  const archive = text('archiveID') ?? ''
  const pmid = pmidIn(noted('PMID')) ?? ids.pmid
  const pmcid = pmcidIn(noted('PMCID')) ?? ids.pmcid
  const isInArxiv = /arxiv/i.test(`${archive} ${text('repository') ?? ''}`)
  const arxiv = ids.arxiv ?? arxivIn(isInArxiv ? archive : undefined) ?? arxivIn(noted('arXiv'))
  const type = text('itemType')
  return {
    record: {
      title,
      abstract: plainParagraphs(text('abstractNote') ?? ''),
      authors: authorsOf(creatorsOf(data.creators)),
      published_date: readDate(text('date')),
      url,
      pdf_url: null,
      doi,
      venue_name: plainText(
        text('publicationTitle', 'proceedingsTitle', 'bookTitle', 'encyclopediaTitle', 'dictionaryTitle', 'conferenceName', 'repository') ??
          text('university', 'institution', 'publisher', 'websiteTitle') ?? ''
      ) || null,
      external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
      source: { name: zoteroOrigin },
      source_paper_id: null,
      metadata: toMetadata({
        type: zoteroTypes[type ?? ''] ?? type,
        citation_key: text('citationKey') ?? noted('Citation Key'),
        published: text('date'),
        volume: text('volume'),
        issue: text('issue'),
        pages: text('pages'),
        issn: text('ISSN'),
        isbn: text('ISBN'),
        publisher: text('publisher'),
        journal_abbreviation: text('journalAbbreviation'),
        language: text('language'),
        ...(type === 'preprint' ? { preprint: true } : {})
      })
    }
  }
}

/** First words of lines like "PMID: 1", by the lower-case names before the colon; the first of a name counts. */
function notesIn (extra: string): ReadonlyMap<string, string> {
  const notes = new Map<string, string>()
  for (const line of extra.split(/[\r\n\u2028\u2029]/)) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    const [value] = /\S+/.exec(line.slice(colon + 1)) ?? []
    if (name !== '' && value !== undefined && !notes.has(name)) notes.set(name, value)
  }
  return notes
}

/** Names of types that citations know. */
export const zoteroTypes: Readonly<Record<string, string>> = {
  journalArticle: 'journal-article',
  conferencePaper: 'paper-conference',
  bookSection: 'book-section',
  magazineArticle: 'article-magazine',
  manuscript: 'unpublished'
}

/** Zotero has the names of groups in one field. */
function creatorsOf (creators: unknown): StatedAuthor[] {
  const all = (Array.isArray(creators) ? creators : []).filter(isObject)
  const authors = all.filter(({ creatorType }) => creatorType === 'author')
  return (authors.length > 0 ? authors : all).map(({ firstName, lastName, name }) => ({
    name: plainText([firstName, lastName, name].filter(part => typeof part === 'string' && part !== '').join(' ')),
    group: !firstName && !lastName
  }))
}
