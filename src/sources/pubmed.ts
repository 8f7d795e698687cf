import type { JsonObject } from '../../schemas/json-object.js'
import { inOtherSpelling } from '../search/british-spellings.js'
import { dayAfter, daysBetween } from '../../schemas/utc-time.js'
import { excerpt, jsonOf, object, rejectedQuery, requireNone, text, unexpectedAnswer } from './requests/answers.js'
import { requestEutils } from './requests/eutils.js'
import { type Page, bisect } from './requests/bisect.js'
import { pubmedXml } from './formats/pubmed-xml.js'
import { pubmedNotices } from './notices/pubmed.js'
import { type Source, type SourceContext, SourceError } from './source.js'
import { efetchHead, maxErrorBytes, ncbiFailure } from './requests/efetch-answer.js'
import { readRecordPage } from './requests/read-answer.js'
import { anyOf, topicsOf, findImbalance } from './requests/topics.js'

const title = 'PubMed'
/** Records per efetch request. */
const batchSize = 200
/** Ids that a query can page through. @see https://www.ncbi.nlm.nih.gov/books/NBK25499/#chapter4.ESearch */
const maxIds = 9999
/** Size of an esearch response; 9,999 ids have 120 kB. */
const maxSearchBytes = 1024 * 1024

/** @see https://www.ncbi.nlm.nih.gov/books/NBK25499/ */
export const pubmed: Source = {
  name: 'pubmed',
  title,
  covers: 'Medicine and the life sciences: the journals that the US National Library of Medicine indexes.',
  queryHelp: 'PubMed\'s query language. Example: "gene editing"[tiab] AND (retina OR eye).',
  isDefault: true,
  precedence: 4,
  settings: {
    url: { name: 'PUBMED_URL', default: 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils', description: 'Address of NCBI\'s E-utilities.' },
    key: { name: 'PUBMED_API_KEY', description: 'Key of an NCBI account: ten requests a second instead of three.' }
  },
  group: 'ncbi',
  // Three requests a second, ten with a key.
  intervalMs: 340,
  intervalWithKeyMs: 105,
  hosts: /^eutils\.ncbi\.nlm\.nih\.gov$/,
  buildQuery: interest => anyOf(topicsOf(interest), phrase => `${phrase}[tiab]`),
  checkQuery: findImbalance,
  lookup: {
    kinds: ['pmid'],
    find: async (context, { value }) => (await fetchRecords(context, [value])).parsed
  },
  followQueries: {
    byId: {
      author: { orcid: ids => ids.map(id => `${id}[auid]`).join(' OR ') },
      journal: { issn: ids => ids.map(id => `"${id}"[Journal]`).join(' OR ') }
    },
    byName: {
      author: (_name, readings) => readings.map(reading => `"${reading}"[Author]`).join(' OR '),
      journal: name => `"${name}"[Journal]`
    }
  },
  notices: pubmedNotices,
  async * search (context, { query, from, to, cursor }) {
    const windows = windowsAt(cursor, { from, to })
    let shortfall: string | undefined
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const { ids, count, unknown } = await findIds(context, query, window)
      if (unknown.length > 0) shortfall = `PubMed ignored parts of the query that it does not know: ${unknown.join(', ')}.`
      if (count > maxIds) {
        const days = daysBetween(window.from, window.to)
        if (days > 0) {
          const middle = dayAfter(window.from, Math.floor(days / 2))
          windows.unshift({ from: window.from, to: middle, start: 0 }, { from: dayAfter(middle), to: window.to, start: 0 })
          continue
        }
        shortfall = `PubMed has ${count} papers of ${window.from} alone for this query and gives ${maxIds}. Narrow the query.`
      }
      if (window.start >= ids.length && shortfall !== undefined) yield { parsed: [], cursor: cursorAt(windows[0]), shortfall }
      const pages = bisect(title, (start, size) => fetchRecords(context, ids.slice(start, start + size)))
      for (let start = window.start; start < ids.length; start += batchSize) {
        const next = start + batchSize < ids.length ? { ...window, start: start + batchSize } : windows[0]
        yield {
          parsed: await pages.read(start, Math.min(batchSize, ids.length - start)),
          cursor: cursorAt(next),
          shortfall: pages.shortfall() ?? shortfall
        }
      }
    }
  }
}

/** Days of a listing, and the first of its ids that is read. */
interface Window { from: string, to: string, start: number }

/** The cursor "2026-11-01/2026-11-19:400" is the 400th id of the window of these days. */
const cursorAt = (window: Window | undefined): string | null =>
  window === undefined ? null : `${window.from}/${window.to}:${window.start}`

/** What is left of a listing from a cursor on. One without the end of its window, as former versions stored, begins its days again. */
function windowsAt (cursor: string | null | undefined, { from, to }: { from: string, to: string }): Window[] {
  const [days = from, start = '0'] = cursor?.split(':') ?? []
  const [begin = from, end] = days.split('/')
  if (end === undefined) return [{ from: begin, to, start: 0 }]
  return [{ from: begin, to: end, start: Number(start) }, ...(end < to ? [{ from: dayAfter(end), to, start: 0 }] : [])]
}

async function findIds (
  context: SourceContext,
  query: string,
  { from, to }: { from: string, to: string }
): Promise<{ ids: string[], count: number, unknown: string[] }> {
  const slashed = (date: string) => date.replaceAll('-', '/')
  const response = await requestEutils(context, 'esearch', {
    term: query,
    datetype: 'edat',
    mindate: slashed(from),
    maxdate: slashed(to),
    retmax: String(maxIds),
    retmode: 'json'
  }, maxSearchBytes)
  if (response.status === 400) {
    const body = response.bytes.toString('utf8', 0, maxErrorBytes)
    // The answer may also repeat the query.
    const failure = ncbiFailure(/"error"\s*:\s*"([^"]*)/i.exec(body)?.[1] ?? excerpt(body))
    if (failure !== undefined) throw failure
  }
  const answer = jsonOf(response, title)
  const result = object(answer.esearchresult)
  const fault = text(answer.error) || text(result.ERROR)
  if (fault !== '') throw ncbiFailure(fault) ?? rejectedQuery(title, fault.slice(0, 200))
  if (!Array.isArray(result.idlist)) throw unexpectedAnswer(title, 'a list of ids', '')
  const ids = result.idlist.map(text).filter(id => /^\d{1,12}$/.test(id))
  const count = Number(text(result.count) || ids.length)
  // Days with more papers are listed in parts.
  if (ids.length === 0 && count <= maxIds) requireNone(title, count)
  return { ids, count, unknown: unknownIn(result, query) }
}

/**
 * Words and fields of the query that PubMed ignored, which makes the query broader. Words that the query does not have are PubMed's own.
 */
function unknownIn ({ errorlist, warninglist }: JsonObject, query: string): string[] {
  const lists = [object(errorlist).phrasesnotfound, object(errorlist).fieldsnotfound, object(warninglist).quotedphrasesnotfound]
  const unknown = new Set(lists.flatMap(list => Array.isArray(list) ? list.map(text) : []))
  // PubMed may know only one of two spellings.
  const isKnownOtherwise = (phrase: string) => {
    const other = inOtherSpelling(phrase)
    return other !== phrase && query.includes(other) && !unknown.has(other)
  }
  return [...unknown]
    .filter(each => each !== '' && query.includes(each) && !isKnownOtherwise(each))
    .slice(0, 5)
    .map(each => `"${each.slice(0, 60)}"`)
}

/** The records of ids that PubMed gave, or of one that it may not know. */
async function fetchRecords (context: SourceContext, ids: readonly string[]): Promise<Page> {
  const answer = await requestEutils(context, 'efetch', { id: ids.join(','), retmode: 'xml' })
  const head = efetchHead(answer)
  if (head !== undefined && !pubmedXml.matches(head)) throw unexpectedAnswer(title, 'a set of records', head)
  const page = head === undefined ? { parsed: [], failure: undefined } : await readRecordPage(answer, title, pubmedXml, context)
  if (page.parsed.length === 0 && ids.length > 1) {
    throw new SourceError('unavailable', `PubMed sent none of ${ids.length} records that it had listed.`)
  }
  return page
}
