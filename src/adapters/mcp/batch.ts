import pLimit from 'p-limit'
import { maxResponseLength } from '../../server/response-size.js'
import type { JsonParts } from '../../server/json-parts.js'
import { createYielder } from '../../threads/yielder.js'

/** Messages of a batch that run at the same time. */
const maxConcurrentMessages = 2
/** Answers up to this length always fit, so the answer of a change is never lost. */
const smallLength = 16 * 1024

/**
 * Answers the messages of a batch, a few at a time, in their order. Together the answers have at most the length of a response: an answer
 * that does not fit is replaced, and the messages that have not started by then do not run. Nor do they run after a result that exceeds
 * the response limit. Yields to the event loop between messages.
 * @param answer undefined for a message without an answer; it reports a result that exceeds the length of a response
 * @param refuse the answer that replaces another
 * @param isAbandoned whether the client has closed the connection; remaining messages do not run then
 */
export async function answerAll<M> (
  messages: readonly M[],
  answer: (message: M, onOversized: () => void) => Promise<JsonParts | undefined>,
  refuse: (message: M) => JsonParts | undefined,
  isAbandoned: () => boolean
): Promise<JsonParts[]> {
  const limit = pLimit(maxConcurrentMessages)
  let totalLength = 0
  let isFull = false
  const yieldIfDue = createYielder()
  const onOversized = () => { isFull = true }
  const bodies = await Promise.all(messages.map(async message => await limit(async () => {
    // Messages that fail early wait for nothing.
    await yieldIfDue()
    if (isFull || isAbandoned()) return refuse(message)
    const body = await answer(message, onOversized)
    if (body === undefined) return undefined
    if (body.length > smallLength && totalLength + body.length > maxResponseLength - messages.length * smallLength) {
      isFull = true
      return refuse(message)
    }
    totalLength += body.length
    return body
  })))
  return bodies.filter(body => body !== undefined)
}
