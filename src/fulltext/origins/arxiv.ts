import { minuteMs } from '../../../schemas/durations.js'
import { NotConvertible } from '../converter-result.js'
import { maxDocumentBytes } from '../limits.js'
import { bytesOf, type Origin } from './origin.js'

/**
 * arXiv's HTML, which exists for most papers with TeX source; the others have a PDF. @see https://info.arxiv.org/about/accessible_HTML.html
 */
export const arxiv: Origin = {
  name: 'arxiv-html',
  title: 'arXiv',
  document: 'arXiv’s HTML',
  mayHave: ({ arxiv_id }) => arxiv_id !== null,
  async get ({ fetchConfigured, urls, convert }, { arxiv_id }) {
    const html = bytesOf(await fetchConfigured('arxiv', `${urls.arxiv}/html/${arxiv_id}`, { maxBytes: maxDocumentBytes }))
    try {
      if (html !== null) return await convert('arxiv-html', html)
    } catch (error) {
      // arXiv can return a page that states that no HTML is available.
      if (!(error instanceof NotConvertible)) throw error
    }
    const limits = { maxBytes: maxDocumentBytes, timeoutMs: minuteMs }
    const pdf = bytesOf(await fetchConfigured('arxiv', `${urls.arxiv}/pdf/${arxiv_id}`, limits))
    return pdf === null ? null : await convert('pdf', pdf)
  }
}
