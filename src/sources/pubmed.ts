import { type JsonObject, jsonOf, object, said, text, textOf } from './answers.js'
import { dayAfter, daysBetween } from './days.js'
import type { Reading } from './formats/format.js'
import { halving, type Piece, unreadShortfall } from './bisect.js'
import { pubmedXml } from './formats/pubmed-xml.js'
import { type Source, type SourceContext, SourceError } from './source.js'
import { anyOf, topicsOf, unbalanced } from './topics.js'

const title = 'PubMed'
/** Records of one efetch. */
const batch = 200
/** PubMed shows no more ids of one question. */
const reachable = 10_000

/** @see https://www.ncbi.nlm.nih.gov/books/NBK25499/ */
export const pubmed: Source = {
  name: 'pubmed',
  title,
  covers: 'Medicine and the life sciences: the journals that the US National Library of Medicine indexes.',
  queryHelp: 'PubMed\'s query language. Example: "gene editing"[tiab] AND (retina OR eye).',
  group: 'ncbi',
  // Three requests a second, ten with a key.
  interval: 340,
  intervalWithKey: 105,
  urlSetting: 'PUBMED_URL',
  defaultUrl: 'https://eutils.ncbi.nlm.nih.gov/entrez/eutils',
  queryOf: interest => anyOf(topicsOf(interest), phrase => `${phrase}[tiab]`),
  check: unbalanced,
  async * search (context, { query, from, to, cursor }) {
    // "2026-11-19:400" is the window from the 19th on, from its 400th id on.
    const [begin = from, offset = '0'] = cursor?.split(':') ?? []
    const windows = [{ from: begin, to, start: Number(offset) }]
    let shortfall: string | undefined
    for (let window = windows.shift(); window !== undefined; window = windows.shift()) {
      const { ids, count, unknown } = await findIds(context, query, window)
      if (unknown.length > 0) shortfall = `PubMed left out what it does not know of the question: ${unknown.join(', ')}.`
      if (count > reachable) {
        const days = daysBetween(window.from, window.to)
        if (days > 0) {
          const middle = dayAfter(window.from, Math.floor(days / 2))
          windows.unshift({ from: window.from, to: middle, start: 0 }, { from: dayAfter(middle), to: window.to, start: 0 })
          continue
        }
        shortfall = `PubMed has ${count} papers of ${window.from} alone for this question, and shows ${reachable}. Ask for less.`
      }
      const pieces = halving((start, size) => readRecords(context, ids.slice(start, start + size)))
      for (let start = window.start; start < ids.length; start += batch) {
        const next = start + batch < ids.length ? `${window.from}:${start + batch}` : windows.length > 0 ? `${windows[0]!.from}:0` : null
        yield { readings: await pieces.read(start, Math.min(batch, ids.length - start)), cursor: next, shortfall: unreadShortfall(title, pieces.unread) ?? shortfall }
      }
    }
  }
}

function ask ({ baseUrl, contact, apiKey }: SourceContext, program: string, parameters: Record<string, string>): { url: URL, body: string } {
  const all = new URLSearchParams({ db: 'pubmed', tool: 'litfeed', ...(contact === undefined ? {} : { email: contact }), ...(apiKey === undefined ? {} : { api_key: apiKey }), ...parameters })
  return { url: new URL(`${baseUrl}/${program}.fcgi`), body: String(all) }
}

async function findIds (context: SourceContext, query: string, { from, to }: { from: string, to: string }): Promise<{ ids: string[], count: number, unknown: string[] }> {
  const slashed = (date: string) => date.replaceAll('-', '/')
  const { url, body } = ask(context, 'esearch', { term: query, datetype: 'edat', mindate: slashed(from), maxdate: slashed(to), retmax: String(reachable), retmode: 'json' })
  // Questions may be longer than an address, and a key in an address is logged on the way.
  const answer = jsonOf(await context.fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' } }), title)
  const result = object(answer.esearchresult)
  const fault = text(answer.error) || text(result.ERROR)
  if (/rate limit/i.test(fault)) throw new SourceError('rate_limited', `PubMed answered: ${fault}.`)
  if (/backend|unavailable|timed? ?out|exception|server/i.test(fault)) throw new SourceError('unavailable', `PubMed answered: ${fault.slice(0, 200)}.`)
  if (fault !== '') throw new SourceError('bad_query', `PubMed cannot answer the question: ${fault.slice(0, 200)}.`)
  if (!Array.isArray(result.idlist)) throw new SourceError('wrong_answer', 'PubMed answered without a list of ids.')
  const ids = result.idlist.map(text).filter(id => /^\d{1,12}$/.test(id))
  return { ids, count: Number(text(result.count) || ids.length), unknown: unknownIn(result) }
}

/** Words and fields of a question that PubMed passed over: it answers a broader one then. */
function unknownIn ({ errorlist, warninglist }: JsonObject): string[] {
  const lists = [object(errorlist).phrasesnotfound, object(errorlist).fieldsnotfound, object(warninglist).quotedphrasesnotfound]
  return [...new Set(lists.flatMap(list => Array.isArray(list) ? list.map(text) : []))].filter(each => each !== '').slice(0, 5).map(each => `"${each.slice(0, 60)}"`)
}

async function readRecords (context: SourceContext, ids: readonly string[]): Promise<Piece> {
  const { url, body } = ask(context, 'efetch', { id: ids.join(','), retmode: 'xml' })
  const xml = textOf(await context.fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/x-www-form-urlencoded' }, maxBytes: 64 * 1024 * 1024 }), title)
  if (!pubmedXml.matches(xml.slice(0, 65_536))) throw new SourceError('wrong_answer', `PubMed answered with something that is no set of its records${said(xml)}.`)
  const readings: Reading[] = []
  let broken: string | undefined
  for await (const reading of pubmedXml.read(once(xml))) {
    if ('reason' in reading && reading.ended === true) broken = reading.reason
    readings.push(reading)
  }
  return { readings, broken }
}

async function * once (xml: string): AsyncIterable<string> {
  yield xml
}
