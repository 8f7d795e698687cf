import { Readable } from 'node:stream'
import fp from 'fastify-plugin'
import { ResultTooLarge } from '../errors/operation-errors.js'
import { splitText } from '../threads/split-text.js'
import { createYielder } from '../threads/yielder.js'

/** Largest response, in characters or bytes. Streams are not limited: each part is sent before the next one is made. */
export const maxResponseLength = 8 * 1024 * 1024

/**
 * Characters from which a text is converted to bytes here, once: Fastify and Node.js count the bytes of a string twice, and the socket
 * converts it piece by piece.
 */
const minConvertedLength = 32_768

/** Characters that are converted at once: about a millisecond. */
const pieceLength = 262_144

/** Converts a text to bytes, piece by piece if it is long: 8 million characters take up to 30 ms. */
export async function toBytes (text: string): Promise<Buffer> {
  if (text.length <= pieceLength) return Buffer.from(text)
  const yieldIfDue = createYielder()
  const pieces: Buffer[] = []
  for (const piece of splitText(text, pieceLength)) {
    pieces.push(Buffer.from(piece))
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return Buffer.concat(pieces)
}

/** Rejects responses above the maximum, whichever adapter made them, and makes no body for HEAD. */
export default fp(async function limitResponseSize (fastify) {
  fastify.addHook('onSend', async (request, _reply, payload) => {
    if (request.method === 'HEAD' && payload instanceof Readable) {
      // Fastify would read it to its end, though nobody waits for it.
      payload.destroy()
      return Readable.from([])
    }
    if ((typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > maxResponseLength) throw new ResultTooLarge()
    return typeof payload === 'string' && payload.length >= minConvertedLength ? await toBytes(payload) : payload
  })
}, { name: 'response-size', fastify: '5.x' })
