import { NotConvertible } from '../converted.js'
import { convert } from './formats.js'
import type { Answer, Question } from './process.js'

/* The sandboxed process: takes a document as a message and answers with its Markdown, or with the reason why it has none. */

// pdf.js leaves rejected promises behind on damaged documents; the conversion reports the failure itself.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
process.on('message', (question: Question) => {
  answer(question).then(message => process.send!(message))
})

async function answer ({ format, bytes }: Question): Promise<Answer> {
  try {
    return { converted: await convert(format, new Uint8Array(bytes)) }
  } catch (error) {
    if (error instanceof NotConvertible) return { refused: { reason: error.reason, message: error.message } }
    return { failed: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}
