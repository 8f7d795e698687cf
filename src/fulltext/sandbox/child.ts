import { readFile } from 'node:fs/promises'
import { splitText } from '../../threads/split-text.js'
import { NotConvertible } from '../converter-result.js'
import { convert, type Format } from './formats.js'
import type { Answer, SentMessage } from './process.js'

/* The sandboxed process: receives a document in messages and replies with Markdown, or with the reason for its failure. */

// pdf.js leaves rejected promises behind on damaged documents; the conversion reports the failure itself.
process.on('unhandledRejection', () => {})
process.on('disconnect', () => process.exit())
// Ctrl-C and service managers signal all processes; this one ends with the service, which may finish its jobs first.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})
let parts: Uint8Array[] = []
process.on('message', (message: SentMessage) => {
  if ('part' in message) {
    parts.push(message.part)
    return
  }
  const bytes = message.document === 'parts' ? Buffer.concat(parts) : readFile(message.document.path)
  parts = []
  answer(message.format, bytes)
})

/** Characters of a message: reading one takes the other process a turn of its event loop. */
const maxTextLength = 500_000

/** Characters of a message about what caused a failure; it may quote the document. */
const maxCauseLength = 2000

async function answer (format: Format, document: Buffer | Promise<Buffer>): Promise<void> {
  const send = (message: Answer) => { process.send!(message) }
  try {
    const { buffer, byteOffset, byteLength } = await document
    const { markdown, ...converted } = await convert(format, new Uint8Array(buffer, byteOffset, byteLength))
    for (const text of splitText(markdown, maxTextLength)) send({ text })
    send({ converted })
  } catch (error) {
    if (error instanceof NotConvertible) {
      const { reason, message, cause } = error
      return send({ refused: { reason, message, ...(cause instanceof Error ? { cause: cause.message.slice(0, maxCauseLength) } : {}) } })
    }
    send({ failed: error instanceof Error ? error.stack ?? error.message : String(error) })
  }
}
