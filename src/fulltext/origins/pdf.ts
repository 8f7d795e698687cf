import { minuteMs } from '../../../schemas/durations.js'
import { maxDocumentBytes } from '../limits.js'
import { bytesOf, type Origin } from './origin.js'

/** The open PDF that the paper's source links to. */
export const pdf: Origin = {
  name: 'pdf',
  title: 'the PDF',
  document: 'the open PDF',
  mayHave: ({ pdf_url }) => pdf_url !== null,
  async get ({ fetchGuarded, convert }, { pdf_url }) {
    const bytes = bytesOf(
      await fetchGuarded(pdf_url!, { maxBytes: maxDocumentBytes, timeoutMs: minuteMs, headers: { accept: 'application/pdf' } })
    )
    return bytes === null ? null : await convert('pdf', bytes)
  }
}
