import { setTimeout as wait } from 'node:timers/promises'
import { NotConvertible } from '../converter-result.js'
import { maxAnswerBytes, convertTimeoutMs, pdfFile, type Protocol, refusal } from './protocol.js'

/** Retry delays while all workers are busy. */
const retryDelaysSeconds = [2, 5, 10, 20]

/** @see https://grobid.readthedocs.io/en/latest/Grobid-service/ */
export const grobid: Protocol = {
  title: 'GROBID',
  health: { path: '/api/isalive', well: /^\s*true\s*$/ },
  convert
}

async function convert (...[client, url, pdf, signal]: Parameters<Protocol['convert']>): ReturnType<Protocol['convert']> {
  for (let attempt = 0; ; attempt++) {
    const form = new FormData()
    form.append('input', await pdfFile(pdf), 'paper.pdf')
    form.append('includeRawCitations', '1')
    const answer = await client.fetch(`${url}/api/processFulltextDocument`, {
      method: 'POST',
      body: form,
      headers: { accept: 'application/xml' },
      timeoutMs: convertTimeoutMs,
      maxBytes: maxAnswerBytes,
      signal
    })
    if (answer.status === 200) return { format: 'tei', bytes: answer.bytes }
    if (answer.status === 204) throw new NotConvertible('no_text', 'GROBID found no text in the PDF.')
    const delay = retryDelaysSeconds[attempt]
    if (answer.status !== 503 || delay === undefined) throw refusal('GROBID', answer)
    await wait(delay * 1000, undefined, signal === undefined ? {} : { signal })
  }
}
