import { type Static, Type } from 'typebox'
import { lazyValidator } from '../../../schemas/lazy-validator.js'
import { visibleText } from '../../../schemas/visible-text.js'
import { NotConvertible } from '../converter-result.js'
import { ConverterRefused, maxAnswerBytes, convertTimeoutMs, pdfFile, type Protocol, refusal } from './protocol.js'

const Answer = Type.Object({
  status: Type.String(),
  document: Type.Object({ md_content: Type.Union([Type.String(), Type.Null()]) }),
  errors: Type.Optional(Type.Array(Type.Object({ error_message: Type.Optional(Type.String()) })))
})
const answerValidator = lazyValidator(Answer)

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
  const { status, document, errors = [] } = read(answer.bytes)
  const markdown = visibleText((document.md_content ?? '').toWellFormed()).replace(/^<!-- image -->\n*/gm, '').trim()
  const messages = errors.flatMap(({ error_message: message }) => message === undefined ? [] : [message.slice(0, 300)])
  const detail = [status, ...messages].join(': ').slice(0, 1500)
  if (markdown === '') throw new NotConvertible('no_text', 'docling-serve found no text in the PDF.', { cause: new Error(detail) })
  return {
    markdown: `${markdown}\n`,
    converter: 'docling-serve',
    pages: null,
    ...(status === 'success' ? { warnings: [] } : { warnings: ['The converter did not finish the whole document.'], detail })
  }
}

function read (bytes: Buffer): Static<typeof Answer> {
  let answer: unknown
  try {
    answer = JSON.parse(bytes.toString('utf8'))
  } catch (cause) {
    throw new ConverterRefused('docling-serve returned invalid JSON.', { cause })
  }
  if (!answerValidator()(answer)) throw new ConverterRefused('docling-serve returned JSON that does not match its version 1.')
  return answer
}
