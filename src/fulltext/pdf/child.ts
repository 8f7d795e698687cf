import { NotConvertible } from '../converted.js'
import { pdfToMarkdown } from './convert.js'
import type { Answer } from './isolated-child.js'

/* The process that PDFs are converted in: it takes a document's bytes as a message, and answers with its Markdown or with why there is none. */

// What pdf.js drops on a damaged document shall not end the process; the document has its answer by other ways.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (bytes: Uint8Array) => {
  answer(bytes).then(message => process.send!(message))
})

async function answer (bytes: Uint8Array): Promise<Answer> {
  try {
    return { converted: await pdfToMarkdown(new Uint8Array(bytes)) }
  } catch (error) {
    if (error instanceof NotConvertible) return { refused: { reason: error.reason, message: error.message } }
    return { failed: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}
