import { jsonOf, object, objects, readAll, text } from './answers.js'
import { readOpenalex, wantedFields } from './records/openalex.js'
import { type Source, SourceError } from './source.js'
import { anyOf, topicsOf, unbalanced } from './topics.js'

const title = 'OpenAlex'
const pageSize = 100
/** Without a key there are pages only, and so many results. */
const reachable = 10_000

/** @see https://docs.openalex.org */
export const openalex: Source = {
  name: 'openalex',
  title,
  covers: 'Every field: journals, conferences, books and repositories.',
  queryHelp: 'Words, "phrases", AND, OR, NOT and parentheses; looked for in titles and abstracts. Example: ("gene editing" OR CRISPR) AND retina.',
  group: 'openalex',
  interval: 500,
  // Works are found here weeks after their date; asking for those that were added lately is for paying customers.
  overlap: 14,
  urlSetting: 'OPENALEX_URL',
  defaultUrl: 'https://api.openalex.org',
  queryOf: interest => anyOf(topicsOf(interest)),
  check: unbalanced,
  async * search ({ fetch, baseUrl, contact, apiKey }, { query, from, to, cursor }) {
    // "page 3" is how a walk without a key goes on.
    let mark = cursor ?? (apiKey === undefined ? 'page 1' : '*')
    for (; ;) {
      const page = /^page (\d+)$/.exec(mark)?.[1]
      const url = new URL(`${baseUrl}/works`)
      url.search = String(new URLSearchParams({
        // Commas and bars divide filters.
        filter: `from_publication_date:${from},to_publication_date:${to},title_and_abstract.search:${query.replace(/[,|]+/g, ' ')}`,
        sort: 'publication_date:desc',
        select: wantedFields,
        per_page: String(pageSize),
        ...(page === undefined ? { cursor: mark } : { page }),
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
        ...(contact === undefined ? {} : { mailto: contact })
      }))
      const response = await fetch(url)
      if (response.status === 401 || response.status === 403) throw new SourceError('unavailable', `OpenAlex refused the request (status ${response.status}). Set OPENALEX_API_KEY to the key of an account, which is free.`)
      const answer = jsonOf(response, title)
      if (!Array.isArray(answer.results)) throw new SourceError('wrong_answer', `OpenAlex answered without a list of results${answer.message === undefined ? '' : `: ${text(answer.message).slice(0, 160)}`}.`)
      const results = objects(answer.results)
      if (results.length === 0) return
      const { count, next_cursor } = object(answer.meta)
      const next = page === undefined ? text(next_cursor) : Number(page) * pageSize < Number(text(count) || 0) ? `page ${Number(page) + 1}` : ''
      const beyond = page !== undefined && next !== '' && (Number(page) + 1) * pageSize > reachable
      const shortfall = beyond ? `OpenAlex has ${text(count)} papers for this question, and shows ${reachable} without a key. Ask for less, or set OPENALEX_API_KEY.` : undefined
      yield { readings: readAll(results, readOpenalex), cursor: next === '' || beyond ? null : next, shortfall }
      if (next === '' || next === mark || beyond) return
      mark = next
    }
  }
}
