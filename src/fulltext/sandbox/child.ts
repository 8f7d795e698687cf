import { readFile } from 'node:fs/promises'
import { NotConvertible } from '../converter-result.js'
import { convert, type Format } from './formats.js'
import type { Answer, SentMessage } from './process.js'

/* The sandboxed process: receives a document in messages and replies with Markdown, or with the reason for its failure. */

// pdf.js leaves rejected promises behind on damaged documents; the conversion reports the failure itself.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
let parts: Uint8Array[] = []
process.on('message', (message: SentMessage) => {
  if ('part' in message) {
    parts.push(message.part)
    return
  }
  const bytes = message.document === 'parts' ? Buffer.concat(parts) : readFile(message.document.path)
  parts = []
  answer(message.format, bytes).then(answered => process.send!(answered))
})

/** Characters of a message about what caused a failure; it may quote the document. */
const maxCauseLength = 2000

async function answer (format: Format, document: Buffer | Promise<Buffer>): Promise<Answer> {
  try {
    const { buffer, byteOffset, byteLength } = await document
    return { converted: await convert(format, new Uint8Array(buffer, byteOffset, byteLength)) }
  } catch (error) {
    if (error instanceof NotConvertible) {
      const { reason, message, cause } = error
      return { refused: { reason, message, ...(cause instanceof Error ? { cause: cause.message.slice(0, maxCauseLength) } : {}) } }
    }
    return { failed: error instanceof Error ? error.stack ?? error.message : String(error) }
  }
}
