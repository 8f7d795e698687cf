import { type JsonObject, object, objects, text } from '../answers.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { readDate } from '../formats/dates.js'
import { stated } from '../formats/metadata.js'
import { authorsOf } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { doiIn, idsIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'

/** The fields that are read; a whole work is ten times as long. */
export const wantedFields = 'id,doi,display_name,authorships,publication_date,publication_year,primary_location,best_oa_location,locations,ids,abstract_inverted_index,biblio,language,type,is_retracted,keywords'

const longestAbstract = 100_000

/** A work of OpenAlex. */
export function readOpenalex (work: JsonObject): { record: PaperRecord } | { reason: string } {
  const title = plainText(text(work.display_name) || text(work.title))
  if (title === '') return { reason: 'title is missing' }
  const openalex = /\bW\d{1,15}$/.exec(text(work.id))?.[0]
  if (openalex === undefined) return { reason: 'id is missing' }
  const doi = doiIn(text(work.doi))
  const ids = object(work.ids)
  const primary = object(work.primary_location)
  const addresses = [primary, ...objects(work.locations)].map(({ landing_page_url }) => text(landing_page_url))
  const found = idsIn([doi, ...addresses])
  const pmid = pmidIn(/(\d+)\/?$/.exec(text(ids.pmid))?.[1]) ?? found.pmid
  const pmcid = pmcidIn(prefixed(text(ids.pmcid))) ?? found.pmcid
  const biblio = object(work.biblio)
  return {
    record: {
      title,
      abstract: plainParagraphs(abstractOf(object(work.abstract_inverted_index))),
      authors: authorsOf(objects(work.authorships).map(({ author, raw_author_name }) => plainText(text(object(author).display_name) || text(raw_author_name)))),
      published_date: readDate(text(work.publication_date)) ?? readDate(text(work.publication_year)),
      url: webAddress(text(primary.landing_page_url)) ?? webAddress(text(work.doi)),
      pdf_url: webAddress(text(object(work.best_oa_location).pdf_url)),
      doi,
      venue_name: plainText(text(object(primary.source).display_name)) || null,
      external_ids: { openalex, ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(found.arxiv === null ? {} : { arxiv: found.arxiv }) },
      source: { name: 'openalex' },
      source_paper_id: openalex,
      metadata: stated({
        volume: text(biblio.volume),
        issue: text(biblio.issue),
        pages: [text(biblio.first_page), text(biblio.last_page)].filter(page => page !== '').join('-'),
        language: text(work.language),
        publication_types: [text(work.type)].filter(type => type !== ''),
        keywords: objects(work.keywords).map(({ display_name }) => text(display_name)).filter(keyword => keyword !== ''),
        license: text(object(work.best_oa_location).license),
        retracted: work.is_retracted === true ? true : undefined,
        preprint: work.type === 'preprint' ? true : undefined
      })
    }
  }
}

/** OpenAlex may give the digits alone. */
const prefixed = (pmcid: string) => /(\d+)\/?$/.exec(pmcid) === null ? '' : `PMC${/(\d+)\/?$/.exec(pmcid)![1]}`

/** Words in the places that the index gives them; a place that is out of all bounds is left out. */
function abstractOf (index: JsonObject): string {
  const words: Array<[number, string]> = []
  for (const [word, places] of Object.entries(index)) {
    for (const place of Array.isArray(places) ? places : []) {
      if (Number.isInteger(place) && place >= 0 && words.length < longestAbstract) words.push([place as number, word])
    }
  }
  return words.sort(([a], [b]) => a - b).map(([, word]) => word).join(' ').replace(/^Abstract:?\s+/i, '')
}
