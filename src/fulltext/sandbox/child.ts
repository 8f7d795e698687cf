import { readFile } from 'node:fs/promises'
import { NotConvertible } from '../converter-result.js'
import { convert } from './formats.js'
import type { Answer, Question } from './process.js'

/* The sandboxed process: receives a document as a message and replies with Markdown, or with the reason for its failure. */

// pdf.js leaves rejected promises behind on damaged documents; the conversion reports the failure itself.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (question: Question) => {
  answer(question).then(message => process.send!(message))
})

/** Characters of a message about what caused a failure; it may quote the document. */
const maxCauseLength = 2000

async function answer ({ format, document }: Question): Promise<Answer> {
  try {
    const bytes = document instanceof Uint8Array ? document : await readFile(document.path)
    return { converted: await convert(format, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength)) }
  } catch (error) {
    if (error instanceof NotConvertible) {
      const { reason, message, cause } = error
      return { refused: { reason, message, ...(cause instanceof Error ? { cause: cause.message.slice(0, maxCauseLength) } : {}) } }
    }
    return { failed: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}
