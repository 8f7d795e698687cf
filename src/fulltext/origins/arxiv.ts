import { minuteMs } from '../../../schemas/durations.js'
import { NotConvertible } from '../converter-result.js'
import type { Origin } from './origin.js'

/**
 * arXiv's HTML, which exists for most papers with TeX source; the others have a PDF. @see https://info.arxiv.org/about/accessible_HTML.html
 */
export const arxiv: Origin = {
  name: 'arxiv-html',
  title: 'arXiv',
  document: 'arXiv’s HTML',
  mayHave: ({ arxiv_id }) => arxiv_id !== null,
  async get ({ downloadConfigured, urls, convert }, { arxiv_id }) {
    const html = await downloadConfigured('arxiv', `${urls.arxiv}/html/${arxiv_id}`)
    try {
      if (html !== null) return await convert('arxiv-html', html)
    } catch (error) {
      // arXiv can return a page that states that no HTML is available.
      if (!(error instanceof NotConvertible)) throw error
    }
    const pdf = await downloadConfigured('arxiv', `${urls.arxiv}/pdf/${arxiv_id}`, { timeoutMs: minuteMs })
    return pdf === null ? null : await convert('pdf', pdf)
  }
}
