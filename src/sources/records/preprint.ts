import { type JsonObject, text } from '../answers.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { readDate } from '../formats/dates.js'
import { stated } from '../formats/metadata.js'
import { authorsOf, readName } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { doiIn, webAddress } from '../../papers/identifiers.js'

/** A version of a preprint, as the API of bioRxiv and medRxiv gives it. */
export function readPreprint (item: JsonObject, server: 'biorxiv' | 'medrxiv'): { record: PaperRecord } | { reason: string } {
  const title = plainText(text(item.title))
  if (title === '') return { reason: 'title is missing' }
  const doi = doiIn(text(item.doi))
  if (doi === null) return { reason: 'doi is missing' }
  const version = Number(text(item.version)) || undefined
  return {
    record: {
      title,
      abstract: plainParagraphs(text(item.abstract)),
      // "Curie, M.; Curie, P."
      authors: authorsOf(text(item.authors).split(/;\s*/).map(readName)),
      published_date: readDate(text(item.date)),
      url: `https://www.${server}.org/content/${doi}${version === undefined ? '' : `v${version}`}`,
      pdf_url: null,
      doi,
      venue_name: server === 'biorxiv' ? 'bioRxiv' : 'medRxiv',
      external_ids: {},
      source: { name: server },
      source_paper_id: doi,
      metadata: stated({
        version,
        category: text(item.category),
        license: /^cc/.test(text(item.license)) ? text(item.license) : undefined,
        jatsxml: webAddress(text(item.jatsxml)),
        publication_types: [text(item.type)].filter(type => type !== ''),
        preprint: true,
        // "NA" where it is in no journal yet.
        published_doi: doiIn(text(item.published))
      })
    }
  }
}
