import { type JsonObject, object, objects, text } from '../answers.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { dateOf } from '../formats/dates.js'
import { stated } from '../formats/metadata.js'
import { authorsOf } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { doiIn, idsIn, webAddress } from '../../papers/identifiers.js'

/** A work of Crossref. Its DOI is the journal's, and a preprint's where that is what was deposited. */
export function readCrossref (work: JsonObject): { record: PaperRecord } | { reason: string } {
  const [main, subtitle] = [plainText(first(work.title)), plainText(first(work.subtitle))]
  if (main === '') return { reason: 'title is missing' }
  const doi = doiIn(text(work.DOI))
  if (doi === null) return { reason: 'DOI is missing' }
  const isPreprint = work.type === 'posted-content'
  const license = objects(work.license).map(({ URL }) => text(URL)).find(url => url.includes('creativecommons.org'))
  const pdf = objects(work.link).find(link => link['content-type'] === 'application/pdf')
  const arxiv = idsIn([doi]).arxiv
  return {
    record: {
      title: subtitle === '' || main.includes(subtitle) ? main : `${main}: ${subtitle}`,
      abstract: abstractOf(text(work.abstract)),
      authors: authorsOf(objects(work.author).map(nameOf)),
      published_date: publishedOf(work),
      url: webAddress(text(work.URL))?.replace(/^http:\/\/dx\.doi\.org\//, 'https://doi.org/') ?? `https://doi.org/${doi}`,
      // Links are for subscribers' text mining as well: only an open licence makes one an open PDF.
      pdf_url: license === undefined ? null : webAddress(text(pdf?.URL)),
      doi,
      venue_name: plainText(first(work['container-title']) || text(objects(work.institution)[0]?.name) || text(work['group-title']) || (isPreprint ? text(work.publisher) : '')) || null,
      external_ids: arxiv === null ? {} : { arxiv },
      source: { name: 'crossref' },
      source_paper_id: doi,
      metadata: stated({
        volume: text(work.volume),
        issue: text(work.issue),
        pages: text(work.page),
        issn: first(work.ISSN),
        publisher: text(work.publisher),
        language: text(work.language),
        publication_types: [text(work.type)].filter(type => type !== ''),
        license,
        preprint: isPreprint ? true : undefined,
        retracted: objects(work['updated-by']).some(({ type }) => type === 'retraction') ? true : undefined,
        published_doi: related(work, 'is-preprint-of'),
        preprint_doi: related(work, 'has-preprint')
      })
    }
  }
}

const first = (value: unknown) => text(Array.isArray(value) ? value[0] : value)

const nameOf = (author: JsonObject) => plainText(text(author.name) || [text(author.given), text(author.family), text(author.suffix)].filter(part => part !== '').join(' '))

/** The first of the dates at which it was to be had. */
function publishedOf (work: JsonObject): string | null {
  for (const name of ['published', 'published-online', 'published-print', 'posted', 'issued', 'created']) {
    const parts: unknown = Array.isArray(object(work[name])['date-parts']) ? (object(work[name])['date-parts'] as unknown[])[0] : undefined
    const date = Array.isArray(parts) ? dateOf(Number(parts[0] ?? Number.NaN), Number(parts[1] ?? 1), Number(parts[2] ?? 1)) : null
    if (date !== null) return date
  }
  return null
}

/** A fragment of JATS: its own heading says nothing, those of its parts become labels. */
const abstractOf = (fragment: string) => plainParagraphs(fragment.replace(/<jats:title>\s*(?:abstract|summary)\s*<\/jats:title>/gi, '').replace(/<jats:title>([^<]{1,100})<\/jats:title>\s*<jats:p>/g, '<jats:p>$1: '))

const related = (work: JsonObject, relation: string): string | null =>
  objects(object(work.relation)[relation]).map(({ 'id-type': type, id }) => type === 'doi' ? doiIn(text(id)) : null).find(doi => doi !== null) ?? null
