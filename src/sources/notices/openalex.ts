import { doiIn } from '../../papers/identifiers.js'
import { jsonOf, objects, text, unexpectedAnswer } from '../answers.js'
import { type NoticeSource, SourceError } from '../source.js'
import { noticeCollection, statedNotice } from './stated.js'

const title = 'OpenAlex'
/** Values that one filter takes, and works on one page. */
const batchSize = 100

/** OpenAlex states that a work is retracted, without a notice or a date. */
export const openalexNotices: NoticeSource = {
  identifiers: ['openalex', 'doi'],
  batchSize,
  statedAs: ['openalex'],
  async check ({ fetch, baseUrl, contact, apiKey }, papers) {
    const found = noticeCollection(papers)
    const ids = papers.flatMap(({ openalex }) => openalex !== null && /^W\d+$/.test(openalex) ? [openalex] : [])
    // Commas and bars divide filters.
    const dois = papers.flatMap(({ openalex, doi }) => openalex === null && doi !== null && !/[,|]/.test(doi) ? [doi] : [])
    for (const [filter, values] of [['openalex', ids], ['doi', dois]] as const) {
      if (values.length === 0) continue
      const url = new URL(`${baseUrl}/works`)
      url.search = String(new URLSearchParams({
        filter: `${filter}:${values.join('|')}`,
        select: 'id,doi,is_retracted',
        per_page: String(batchSize),
        ...(apiKey === undefined ? {} : { api_key: apiKey }),
        ...(contact === undefined ? {} : { mailto: contact })
      }))
      const response = await fetch(url)
      if (response.status === 401 || response.status === 403) {
        throw new SourceError('unavailable', `OpenAlex refused the request (status ${response.status}).`)
      }
      const answer = jsonOf(response, title)
      if (!Array.isArray(answer.results)) throw unexpectedAnswer(title, 'a list of results', text(answer.message))
      for (const work of objects(answer.results)) {
        if (typeof work.is_retracted !== 'boolean') continue
        const notices = work.is_retracted ? [statedNotice('openalex', 'retraction')] : []
        const id = /\bW\d{1,15}$/.exec(text(work.id))?.[0]
        const doi = doiIn(text(work.doi))
        if (filter === 'openalex' && id !== undefined) found.add('openalex', id, notices)
        if (filter === 'doi' && doi !== null) found.add('doi', doi, notices)
      }
    }
    return found.checked()
  }
}
