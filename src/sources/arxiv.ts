import { parseArxivPage } from './documents/arxiv-page.js'
import { bisect } from './requests/bisect.js'
import { arxivNotices } from './notices/arxiv.js'
import { type Source, SourceError } from './source.js'
import { searchInParts } from './requests/query-parts.js'
import { anyOf, topicsOf, findImbalance } from './requests/topics.js'

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
    const unknown = [...query.replace(/"[^"]*"/g, '""').matchAll(/(?<![A-Za-z_])([A-Za-z_]+):/g)]
      .map(([, field]) => field!)
      .find(field => !fields.has(field))
    if (unknown !== undefined) return `arXiv has no field "${unknown}"; it has ${[...fields].join(', ')}.`
    return findImbalance(query)
  },
  titleQuery: words => `ti:"${words}"`,
  lookup: {
    kinds: ['arxiv'],
    async find (context, { value }) {
      const { fetch, baseUrl } = context
      const url = new URL(`${baseUrl}/api/query`)
      url.search = String(new URLSearchParams({ id_list: value, max_results: '1' }))
      return (await parseArxivPage(await fetch(url), '', context)).parsed
    }
  },
  followQueries: { byName: { author: name => `au:"${name}"` } },
  notices: arxivNotices,
  search: searchInParts(async function * (context, { query, from, to, cursor }) {
    const { fetch, baseUrl } = context
    const compact = (date: string) => date.replaceAll('-', '')
    const searchQuery = `(${query}) AND submittedDate:[${compact(from)}0000 TO ${compact(to)}2359]`
    let total = Infinity
    const pages = bisect(title, async (start, size) => {
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
      const page = await parseArxivPage(await fetch(url), query, context)
      total = page.total
      // arXiv sometimes sends a short or empty page before the end. Continuing after it would skip the missing papers for good.
      const [expected, sent] = [Math.min(size, total - start), page.parsed.length]
      if (page.failure === undefined && sent < expected) {
        throw new SourceError('unavailable', sent === 0
          ? `arXiv sent an empty page where it has ${total - start} more papers.`
          : `arXiv sent ${sent} papers on a page where it has ${expected}.`)
      }
      return page
    })
    for (let start = Number(cursor ?? 0); start < total; start += pageSize) {
      if (start >= maxResults) {
        const shortfall = `arXiv has ${total} papers for this query and returns only ${maxResults}. Narrow the query.`
        yield { parsed: [], cursor: null, shortfall }
        return
      }
      const parsed = await pages.read(start, Math.min(pageSize, total - start))
      if (parsed.length === 0) break
      const next = start + pageSize
      yield { parsed, cursor: next < total ? String(next) : null, shortfall: pages.shortfall() }
    }
  })
}
