import type { JsonObject } from '../../schemas/json-object.js'
import { dayAfter } from '../../schemas/utc-time.js'
import { doiIn, webAddress } from '../papers/identifiers.js'
import { createYielder } from '../threads/yielder.js'
import { object, objects, text, unexpectedAnswer } from './requests/answers.js'
import { readDate } from '../papers/stated-date.js'
import type { ParsedRecord, ParseResult } from './formats/format.js'
import { readHighwire } from './formats/highwire.js'
import { toMetadata } from './formats/metadata.js'
import { authorsOf, readName } from './formats/names.js'
import { plainParagraphs, plainText } from './formats/plain-text.js'
import { biorxivNotices } from './notices/biorxiv.js'
import { type ItemParser, type Source, SourceError } from './source.js'
import { readItemRecords } from './requests/read-answer.js'
import { listOf, searchedTopics, topicMatcher, topicsIn, topicsOf } from './requests/topics.js'

/** Days of one request: the service is fast with narrow windows. */
const windowDays = 3

/** Preprints of the two servers, as their API lists them. */
const [biorxivPreprints, medrxivPreprints] = [preprintsOf('biorxiv'), preprintsOf('medrxiv')]

function preprintsOf (name: 'biorxiv' | 'medrxiv'): ItemParser {
  return { name, parse: item => parsePreprint(item, name) }
}

/** One of the two servers of the service. It lists whole days; the topics are matched here. @see https://api.biorxiv.org */
const server = (name: 'biorxiv' | 'medrxiv', title: string, covers: string): Source => ({
  name,
  title,
  covers,
  queryHelp: `Topics, separated by commas; a preprint of ${title} matches that has all words of one in its title, abstract or category. ` +
    '* takes everything. Example: gene editing, retina.',
  precedence: 3,
  hasOnlyPreprints: true,
  settings: { url: { name: 'BIORXIV_URL', default: 'https://api.biorxiv.org', description: 'Address of the API of bioRxiv and medRxiv.' } },
  group: 'biorxiv',
  intervalMs: 1000,
  itemParser: name === 'biorxiv' ? biorxivPreprints : medrxivPreprints,
  buildQuery: interest => listOf(topicsOf(interest)),
  checkQuery: query =>
    query.trim() === '*' || topicsIn(query).length > 0
      ? null
      : 'it names no topic; topics are words, separated by commas, or * for everything.',
  notices: biorxivNotices(name, title),
  async * search (context, { query, from, to, cursor }) {
    const { fetch, baseUrl } = context
    const parser = name === 'biorxiv' ? biorxivPreprints : medrxivPreprints
    const { topics, shortfall } = searchedTopics(query, title)
    const matches = query.trim() === '*' ? () => true : topicMatcher(topics)
    const yieldIfDue = createYielder()
    // The cursor "2026-11-19:60" is the 60th record of the window that starts on the 19th.
    const [begin = from, offset = '0'] = cursor?.split(':') ?? []
    let start = Number(offset)
    for (const window of windowsOf(begin, to)) {
      for (; ;) {
        const response = await fetch(new URL(`${baseUrl}/details/${name}/${window.from}/${window.to}/${start}/json`))
        const { answer, items } = await readItemRecords(response, title, { list: ['collection'], parser }, context)
        const message = objects(answer.messages)[0]
        const status = text(message?.status)
        if (message === undefined || (answer.collection === undefined && !/no (?:posts|papers|articles)/i.test(status))) {
          throw unexpectedAnswer(title, 'a list of preprints', status)
        }
        // The service chooses the page size; the total counts versions.
        const total = Number(object(message).total ?? start + items.length)
        // Continuing after an empty page would skip the missing preprints for good.
        if (items.length === 0 && start < total) {
          throw new SourceError('unavailable', `${title} sent an empty page where it has ${total - start} more preprints.`)
        }
        start += items.length
        const ended = items.length === 0 || start >= total
        const parsed: ParsedRecord[] = []
        for (const each of items) {
          await yieldIfDue()
          if ('reason' in each || matches(`${each.record.title} ${each.record.abstract} ${text(each.record.metadata.category)}`)) {
            parsed.push(each)
          }
        }
        const next = ended ? windowAfter(window.to, to) : `${window.from}:${start}`
        yield { parsed, cursor: next, shortfall }
        if (ended) break
      }
      start = 0
    }
  }
})

/** Splits a period into consecutive windows of at most `windowDays`. */
function * windowsOf (from: string, to: string): Iterable<{ from: string, to: string }> {
  for (let at = from; at <= to; at = dayAfter(at, windowDays)) {
    const end = dayAfter(at, windowDays - 1)
    yield { from: at, to: end < to ? end : to }
  }
}

/** The cursor of the window that follows; null after the last. */
const windowAfter = (end: string, last: string): string | null => end < last ? `${dayAfter(end)}:0` : null

/** bioRxiv. */
export const biorxiv = server('biorxiv', 'bioRxiv', 'Preprints in biology.')
/** medRxiv. */
export const medrxiv = server('medrxiv', 'medRxiv', 'Preprints in medicine and public health.')

/** Parses a version of a preprint. */
function parsePreprint (item: JsonObject, server: 'biorxiv' | 'medrxiv'): ParseResult {
  const title = plainText(readHighwire(text(item.title)))
  if (title === '') return { reason: 'title is missing' }
  const doi = doiIn(text(item.doi))
  if (doi === null) return { reason: 'doi is missing' }
  const version = Number(text(item.version)) || undefined
  return {
    record: {
      title,
      abstract: plainParagraphs(readHighwire(text(item.abstract))),
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
      metadata: toMetadata({
        published: text(item.date),
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
