import { maxAnswerBytes, convertTimeoutMs, pdfFile, type Protocol, refusal } from './protocol.js'

/** @see https://github.com/docling-project/docling-serve/blob/main/docs/usage.md */
export const docling: Protocol = {
  title: 'docling-serve',
  health: { path: '/health', well: /"ok"/ },
  convert
}

async function convert (...[client, url, pdf, signal]: Parameters<Protocol['convert']>): ReturnType<Protocol['convert']> {
  const form = new FormData()
  form.append('files', await pdfFile(pdf), 'paper.pdf')
  form.append('to_formats', 'md')
  form.append('do_ocr', 'false')
  // Embedded images would be a hundred times larger than the text.
  form.append('image_export_mode', 'placeholder')
  const answer = await client.fetch(`${url}/v1/convert/file`, {
    method: 'POST',
    body: form,
    headers: { accept: 'application/json' },
    timeoutMs: convertTimeoutMs,
    maxBytes: maxAnswerBytes,
    signal
  })
  if (answer.status !== 200) throw refusal('docling-serve', answer)
  return { format: 'docling', bytes: answer.bytes }
}
