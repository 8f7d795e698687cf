import type { JsonObject } from '../../schemas/json-object.js'
import {
  doiIn, idsIn, issnIn, issnsIn, openalexInstitutionIn, openalexSourceIn, pmidIn, rorIn, webAddress
} from '../papers/identifiers.js'
import { object, objects, requireNone, text, texts, unexpectedAnswer } from './requests/answers.js'
import { openalexCitations } from './formats/citations.js'
import { isPreprintServer } from '../papers/source-traits.js'
import { readDate } from '../papers/stated-date.js'
import type { ParseResult } from './formats/format.js'
import { toMetadata } from './formats/metadata.js'
import { authorsOf } from './formats/names.js'
import { plainParagraphs, plainText } from './formats/plain-text.js'
import { openalexNotices } from './notices/openalex.js'
import type { ItemParser, Source } from './source.js'
import { isRetractedWork, requestWorks, workPmcid } from './requests/openalex-works.js'
import { readItemRecords } from './requests/read-answer.js'
import { searchInParts } from './requests/query-parts.js'
import { anyOf, topicsOf, findImbalance } from './requests/topics.js'

const title = 'OpenAlex'
const pageSize = 100
/** Results that a query without a key can page through. */
const maxResultsWithoutKey = 10_000

/** The fields that are parsed; a whole work is ten times as long. */
const selectedFields =
  'id,doi,display_name,authorships,publication_date,publication_year,primary_location,best_oa_location,locations,ids,' +
  'abstract_inverted_index,biblio,language,type,is_retracted,keywords,referenced_works,cited_by_count'

const maxAbstractWords = 100_000

/** Authors of a work in a list, at most. @see https://docs.openalex.org/api-entities/authors/limitations */
const maxListedAuthors = 100

/** Authors whose institutions are stored by name: those that readers are offered to follow. */
const [maxFirstAuthors, maxInstitutions, maxNameLength] = [3, 8, 200]

/** Filters by id that a query can be, instead of words. */
const idFilters: Readonly<Record<string, RegExp>> = {
  'authorships.author.id': /^A\d{1,15}$/i,
  'authorships.author.orcid': /^\d{4}-\d{4}-\d{4}-\d{3}[\dX]$/i,
  'authorships.institutions.id': /^I\d{1,15}$/i,
  'authorships.institutions.ror': /^0[a-z0-9]{8}$/i,
  'primary_location.source.id': /^S\d{1,15}$/i,
  'primary_location.source.issn': /^\d{4}-\d{3}[\dX]$/i
}

/** Ids of one filter, at most. @see https://docs.openalex.org: it takes 100 */
const maxFilterIds = 100

/** A query that is a filter by one id, or by several of a kind; undefined for words. */
function idFilterIn (query: string): string | undefined {
  const [, name = '', list = ''] = /^\s*([a-z_.]+)\s*:\s*([\w|-]+)\s*$/.exec(query) ?? []
  const ids = list.split('|')
  return Object.hasOwn(idFilters, name) && ids.length <= maxFilterIds && ids.every(id => idFilters[name]!.test(id))
    ? `${name}:${list}`
    : undefined
}

/** Works of OpenAlex's API. */
const openalexWorks: ItemParser = { name: 'openalex', parse: parseWork }

/** @see https://docs.openalex.org */
export const openalex: Source = {
  name: 'openalex',
  title,
  covers: 'Every field: journals, conferences, books and repositories.',
  queryHelp:
    'Words, "phrases", AND, OR, NOT and parentheses; looked for in titles and abstracts. Example: ("gene editing" OR CRISPR) AND retina. ' +
    `Or an id: ${Object.keys(idFilters).join(', ')}, each with a colon and the id, or several ids of the kind with bars between them.`,
  precedence: 2,
  settings: {
    url: { name: 'OPENALEX_URL', default: 'https://api.openalex.org', description: 'Address of OpenAlex\'s API.' },
    key: { name: 'OPENALEX_API_KEY', description: 'Key of a free OpenAlex account; without one, OpenAlex answers few requests.' }
  },
  group: 'openalex',
  intervalMs: 500,
  // Works appear weeks after their date; a filter by the date on which they were added needs a paid plan.
  overlapDays: 14,
  itemParser: openalexWorks,
  buildQuery: interest => anyOf(topicsOf(interest), phrase => phrase.replace('*', '')),
  checkQuery: query => idFilterIn(query) === undefined ? findImbalance(query) : null,
  followQueries: {
    byId: {
      author: { openalex: ids => `authorships.author.id:${ids.join('|')}`, orcid: ids => `authorships.author.orcid:${ids.join('|')}` },
      journal: {
        openalex: ids => `primary_location.source.id:${ids.join('|')}`,
        issn: ids => `primary_location.source.issn:${ids.join('|')}`
      },
      institution: {
        ror: ids => `authorships.institutions.ror:${ids.join('|')}`,
        openalex: ids => `authorships.institutions.id:${ids.join('|')}`
      }
    }
  },
  notices: openalexNotices,
  search: searchInParts(async function * (context, { query, from, to, cursor }) {
    // "page 3" is the cursor of a listing without a key. Others are refused without one, as after the operator has removed it.
    let mark = context.apiKey === undefined && !/^page \d+$/.test(cursor ?? '') ? 'page 1' : cursor ?? '*'
    for (; ;) {
      const page = /^page (\d+)$/.exec(mark)?.[1]
      const response = await requestWorks(context, {
        // Commas and bars divide filters.
        filter: `from_publication_date:${from},to_publication_date:${to},` +
          (idFilterIn(query) ?? `title_and_abstract.search:${query.replace(/[,|]+/g, ' ')}`),
        sort: 'publication_date:desc',
        select: selectedFields,
        per_page: String(pageSize),
        ...(page === undefined ? { cursor: mark } : { page })
      })
      const list = { list: ['results'], parser: openalexWorks }
      const { answer, items: parsed } = await readItemRecords(response, title, list, context)
      if (!Array.isArray(answer.results)) throw unexpectedAnswer(title, 'a list of results', text(answer.message))
      const { count, next_cursor } = object(answer.meta)
      if (parsed.length === 0) {
        if (mark === '*' || mark === 'page 1') requireNone(title, count)
        return
      }
      const next =
        page === undefined ? text(next_cursor) : Number(page) * pageSize < Number(text(count) || 0) ? `page ${Number(page) + 1}` : ''
      const beyond = page !== undefined && next !== '' && (Number(page) + 1) * pageSize > maxResultsWithoutKey
      const shortfall = beyond
        ? `OpenAlex has ${Number(count)} papers for this query and gives ${maxResultsWithoutKey} without a key. ` +
          'Narrow the query, or set OPENALEX_API_KEY.'
        : undefined
      yield { parsed, cursor: next === '' || beyond ? null : next, shortfall }
      if (next === '' || next === mark || beyond) return
      mark = next
    }
  })
}

/** Parses a work. */
function parseWork (work: JsonObject): ParseResult {
  const title = plainText(text(work.display_name) || text(work.title))
  if (title === '') return { reason: 'title is missing' }
  const openalex = /\bW\d{1,15}$/.exec(text(work.id))?.[0]
  if (openalex === undefined) return { reason: 'id is missing' }
  const doi = doiIn(text(work.doi))
  const ids = object(work.ids)
  const primary = object(work.primary_location)
  const addresses = [primary, ...objects(work.locations)].map(({ landing_page_url }) => text(landing_page_url))
  const addressIds = idsIn([doi, ...addresses])
  const pmid = pmidIn(/(?<!\d)(\d+)\/?$/.exec(text(ids.pmid))?.[1]) ?? addressIds.pmid
  const pmcid = workPmcid(work) ?? addressIds.pmcid
  const biblio = object(work.biblio)
  const journal = object(primary.source)
  const issns = issnsIn(texts(journal.issn))
  const published = text(work.publication_date) || text(work.publication_year)
  const authorships = objects(work.authorships)
  // Works of selected fields may not say so themselves.
  const areAuthorsCut = work.is_authors_truncated === true ||
    (authorships.length === maxListedAuthors && authorships.at(-1)!.author_position !== 'last')
  return {
    record: {
      title,
      abstract: plainParagraphs(abstractOf(object(work.abstract_inverted_index))),
      authors: authorsOf(
        authorships.map(({ author, raw_author_name, institutions }) => ({
          name: plainText(text(object(author).display_name) || text(raw_author_name)),
          orcid: text(object(author).orcid),
          openalex: text(object(author).id),
          institutions: objects(institutions).flatMap(({ id, ror }) => [text(ror), text(id)])
        }))
      ),
      published_date: readDate(published),
      url: webAddress(text(primary.landing_page_url)) ?? webAddress(text(work.doi)),
      pdf_url: webAddress(text(object(work.best_oa_location).pdf_url)),
      doi,
      venue_name: plainText(text(journal.display_name)) || null,
      external_ids: {
        openalex,
        ...(pmid === null ? {} : { pmid }),
        ...(pmcid === null ? {} : { pmcid }),
        ...(addressIds.arxiv === null ? {} : { arxiv: addressIds.arxiv })
      },
      source: { name: 'openalex' },
      source_paper_id: openalex,
      metadata: toMetadata({
        // OpenAlex writes an unknown month or day as 01.
        published: published.replace(/-01(?:-01)?$/, ''),
        volume: text(biblio.volume),
        issue: text(biblio.issue),
        pages: [text(biblio.first_page), text(biblio.last_page)].filter(page => page !== '').join('-'),
        issn: issns[0],
        issn_l: issnIn(text(journal.issn_l)),
        issns: issns.length > 1 ? issns : [],
        openalex_source: openalexSourceIn(text(journal.id)),
        institutions: namedInstitutions(authorships, areAuthorsCut),
        language: text(work.language),
        publication_types: [text(work.type), ...(journal.type === 'conference' && work.type === 'article' ? ['conference'] : [])]
          .filter(type => type !== ''),
        keywords: objects(work.keywords).map(({ display_name }) => text(display_name)).filter(keyword => keyword !== ''),
        license: text(object(work.best_oa_location).license),
        retracted: isRetractedWork(work) ? true : undefined,
        preprint: work.type === 'preprint' ? true : undefined,
        ...(work.type === 'preprint' ? {} : preprintOf(work, doi)),
        truncated: areAuthorsCut ? ['authors'] : []
      }),
      ...openalexCitations(work)
    }
  }
}

/** The DOI of the preprint that OpenAlex counts as a location of an article; arXiv's are known by their ids. */
function preprintOf (work: JsonObject, doi: string | null): { preprint_doi?: string } {
  const preprint = objects(work.locations)
    .filter(({ source }) => object(source).type === 'repository' && isPreprintServer(text(object(source).display_name)))
    .map(({ landing_page_url }) => doiIn(text(landing_page_url)))
    .find(each => each !== null && idsIn([each]).arxiv === null && each !== doi)
  return preprint == null ? {} : { preprint_doi: preprint }
}

/**
 * The institutions of the first authors and the last one, unless the list ends before, with names: each begins with the id that authors
 * have first.
 */
function namedInstitutions (authorships: readonly JsonObject[], isCut: boolean): string[] {
  const authors = [...authorships.slice(0, maxFirstAuthors), ...(isCut ? [] : authorships.slice(maxFirstAuthors).slice(-1))]
  const named = authors.flatMap(({ institutions }) => objects(institutions).slice(0, maxInstitutions)).flatMap(institution => {
    const id = rorIn(text(institution.ror)) ?? openalexInstitutionIn(text(institution.id))
    const name = plainText(text(institution.display_name))
    return id === null || name === '' ? [] : `${id} ${name.slice(0, maxNameLength).toWellFormed()}`
  })
  return [...new Set(named)].slice(0, maxInstitutions)
}

/** Rebuilds an abstract from its inverted index, of bounded length. */
function abstractOf (index: JsonObject): string {
  const words: Array<[number, string]> = []
  for (const [word, places] of Object.entries(index)) {
    for (const place of Array.isArray(places) ? places : []) {
      if (Number.isInteger(place) && place >= 0 && words.length < maxAbstractWords) words.push([place, word])
    }
  }
  return words.sort(([a], [b]) => a - b).map(([, word]) => word).join(' ').replace(/^Abstract:?\s+/i, '')
}
