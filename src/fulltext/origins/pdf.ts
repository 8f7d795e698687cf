import { minuteMs } from '../../../schemas/durations.js'
import type { Origin } from './origin.js'

/** The open PDF that the paper's source links to. */
export const pdf: Origin = {
  name: 'pdf',
  title: 'The PDF',
  document: 'the open PDF',
  mayHave: ({ pdf_url }) => pdf_url !== null,
  async get ({ downloadGuarded, convert }, { pdf_url }) {
    const document = await downloadGuarded(pdf_url!, { timeoutMs: minuteMs, headers: { accept: 'application/pdf' } })
    return document === null ? null : await convert('pdf', document)
  }
}
