import type { HttpResponse } from '../http/client.js'
import { excerpt, rejectedQuery, textOf, unexpectedAnswer } from './answers.js'
import { arxivAtom } from './formats/arxiv-atom.js'
import { type Page, bisect, invalidShortfall } from './bisect.js'
import type { ParsedRecord } from './formats/format.js'
import { plainText } from './formats/plain-text.js'
import { type Source, SourceError } from './source.js'
import { anyOf, topicsOf, findImbalance } from './topics.js'

const title = 'arXiv'
const pageSize = 200
/** Maximum number of results that arXiv gives for a query. */
const maxResults = 30_000
const fields = new Set(['ti', 'au', 'abs', 'co', 'jr', 'cat', 'rn', 'id', 'all', 'submittedDate', 'lastUpdatedDate'])

/** @see https://info.arxiv.org/help/api/user-manual.html */
export const arxiv: Source = {
  name: 'arxiv',
  title,
  covers: 'Preprints in physics, mathematics, computer science, statistics, engineering, economics and quantitative biology.',
  queryHelp:
    "arXiv's query language: fields ti, au, abs, cat, all; AND, OR, ANDNOT; quotes and parentheses. Example: cat:cs.CL AND " +
    'abs:"retrieval augmented".',
  isDefault: true,
  precedence: 4,
  hasOnlyPreprints: true,
  settings: { url: { name: 'ARXIV_URL', default: 'https://export.arxiv.org', description: 'Address of arXiv\'s API.' } },
  group: 'arxiv',
  // One request every three seconds, one at a time, over all its services: https://info.arxiv.org/help/api/tou.html
  intervalMs: 3000,
  hosts: /(?:^|\.)arxiv\.org$/,
  // A paper has the date of its submission but appears when it is announced: days later over a weekend, more over holidays or in
  // moderation.
  overlapDays: 14,
  buildQuery: interest => anyOf(topicsOf(interest), phrase => `all:${phrase}`),
  checkQuery (query) {
    const unknown = [...query.replace(/"[^"]*"/g, '""').matchAll(/([A-Za-z_]+):/g)]
      .map(([, field]) => field!)
      .find(field => !fields.has(field))
    if (unknown !== undefined) return `arXiv has no field "${unknown}"; it has ${[...fields].join(', ')}.`
    return findImbalance(query)
  },
  titleQuery: words => `ti:"${words}"`,
  lookup: {
    kinds: ['arxiv'],
    async find ({ fetch, baseUrl }, { value }) {
      const url = new URL(`${baseUrl}/api/query`)
      url.search = String(new URLSearchParams({ id_list: value, max_results: '1' }))
      return (await parsePage(await fetch(url), '')).parsed
    }
  },
  async * search ({ fetch, baseUrl }, { query, from, to, cursor }) {
    const compact = (date: string) => date.replaceAll('-', '')
    const searchQuery = `(${query}) AND submittedDate:[${compact(from)}0000 TO ${compact(to)}2359]`
    let total = Infinity
    const pages = bisect(async (start, size) => {
      const url = new URL(`${baseUrl}/api/query`)
      // Oldest first, so that papers added during the fetch appear on later pages.
      url.search = String(
        new URLSearchParams({
          search_query: searchQuery,
          start: String(start),
          max_results: String(size),
          sortBy: 'submittedDate',
          sortOrder: 'ascending'
        })
      )
      const page = await parsePage(await fetch(url), query)
      total = page.total
      return page
    })
    for (let start = Number(cursor ?? 0); start < total; start += pageSize) {
      if (start >= maxResults) {
        yield { parsed: [], cursor: null, shortfall: `arXiv has ${total} papers for this query and gives ${maxResults}. Narrow the query.` }
        return
      }
      const parsed = await pages.read(start, pageSize)
      // arXiv sometimes sends an empty page before the end. Stopping there would skip the remaining papers permanently.
      if (parsed.length === 0 && start < total) {
        throw new SourceError('unavailable', `arXiv sent an empty page where it has ${total - start} more papers.`)
      }
      if (parsed.length === 0) break
      const next = start + pageSize
      yield { parsed, cursor: next < total ? String(next) : null, shortfall: invalidShortfall(title, pages.failures) }
    }
  }
}

async function parsePage (answer: HttpResponse, query: string): Promise<Page & { total: number }> {
  // An entry explains a bad query, under any status.
  const text = answer.status === 400 ? answer.bytes.toString('utf8') : textOf(answer, title)
  const head = text.slice(0, 8192)
  const error = /<id>[^<]*\/api\/errors[^<]*<\/id>[^]*?<summary[^>]*>([^<]{1,500})<\/summary>/.exec(head)?.[1]
  if (error !== undefined) throw rejectedQuery(title, plainText(error))
  if (!/<feed[\s>]/.test(head)) {
    throw answer.status === 400 ? rejectedQuery(title, excerpt(text), 400) : unexpectedAnswer(title, 'an Atom feed', text)
  }
  // arXiv searches all fields for a field that it does not know, and says so only in the feed's title.
  const asked = plainText(/<title[^>]*>([^<]{1,4000})<\/title>/.exec(head)?.[1] ?? '')
  const rewritten = /\ball:([A-Za-z_]+):/.exec(asked)?.[1]
  if (rewritten !== undefined && !query.includes(`all:${rewritten}:`)) {
    throw new SourceError(
      'bad_query',
      `arXiv does not know ${query.includes(`${rewritten}:`) ? `the field "${rewritten}"` : 'a field'} in the query.`,
      { detail: asked.slice(0, 160) }
    )
  }
  const parsed: ParsedRecord[] = []
  let failure: string | undefined
  for await (const each of arxivAtom.read(once(text))) {
    if ('reason' in each && each.ended === true) failure = each.reason
    parsed.push(each)
  }
  return { parsed, total: Number(/totalResults[^>]*>(\d+)</.exec(head)?.[1] ?? 0), failure }
}

async function * once (text: string): AsyncIterable<string> {
  yield text
}
