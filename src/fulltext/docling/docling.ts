import { isObject } from '../../../schemas/json-object.js'
import { visibleText } from '../../../schemas/visible-text.js'
import { type ConverterResult, NotConvertible } from '../converter-result.js'

/** Characters of docling-serve's messages that the log quotes: of each, and of all. */
const [maxMessageLength, maxDetailLength] = [300, 1500]

/** An answer of docling-serve, as far as it is read. */
interface Answer { status: string, markdown: string, messages: string[] }

/** Reads the Markdown in an answer of docling-serve. @throws NotConvertible not_this_format, no_text */
export function doclingToMarkdown (text: string): ConverterResult {
  const { status, markdown: raw, messages } = readAnswer(text)
  // Hidden characters alone are no text.
  const markdown = visibleText(raw.toWellFormed()).replace(/^<!-- image -->\n*/gm, '').trim()
  const detail = [status, ...messages].join(': ').slice(0, maxDetailLength)
  if (markdown === '') throw new NotConvertible('no_text', 'docling-serve found no text in the PDF.', { cause: new Error(detail) })
  return {
    markdown: `${markdown}\n`,
    converter: 'docling-serve',
    pages: null,
    ...(status === 'success' ? { warnings: [] } : { warnings: [], losses: ['The converter did not finish the whole document.'], detail })
  }
}

/** Checks the form without a compiled schema, since the sandbox runs no code that is made of strings. */
function readAnswer (text: string): Answer {
  const answer = parse(text)
  const { status, document, errors = [] } = isObject(answer) ? answer : {}
  const markdown = isObject(document) ? document.md_content : undefined
  if (typeof status !== 'string' || (typeof markdown !== 'string' && markdown !== null) || !Array.isArray(errors)) {
    throw new NotConvertible('not_this_format', 'docling-serve returned JSON that does not match its version 1.')
  }
  return { status, markdown: markdown ?? '', messages: errors.flatMap(messageIn) }
}

function parse (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new NotConvertible('not_this_format', 'docling-serve returned invalid JSON.')
  }
}

const messageIn = (error: unknown): string | [] =>
  isObject(error) && typeof error.error_message === 'string' ? error.error_message.slice(0, maxMessageLength) : []
