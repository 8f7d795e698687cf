import pLimit from 'p-limit'
import { maxResponseLength } from '../../server/response-size.js'
import type { Answer } from './dispatch.js'

/** Messages of a batch that run at the same time. */
const maxConcurrentMessages = 2
/** Answers up to this length always fit, so the answer of a change is never lost. */
const smallLength = 16 * 1024

/**
 * Answers the messages of a batch, a few at a time, in their order. Together the answers have at most the length of a response: an answer
 * that does not fit is replaced, and the messages that have not started by then do not run. Nor do they run after a result that exceeds
 * the response limit.
 * @param answer undefined for a message without an answer; it reports a result that exceeds the length of a response
 * @param refuse the text that replaces an answer
 * @param isAbandoned whether the client has closed the connection; remaining messages do not run then
 */
export async function answerAll<M> (
  messages: readonly M[],
  answer: (message: M, onOversized: () => void) => Promise<Answer | undefined>,
  refuse: (message: M) => string | undefined,
  isAbandoned: () => boolean
): Promise<string[]> {
  const limit = pLimit(maxConcurrentMessages)
  let totalLength = 0
  let isFull = false
  const onOversized = () => { isFull = true }
  const texts = await Promise.all(messages.map(async message => await limit(async () => {
    if (isFull || isAbandoned()) return refuse(message)
    const text = (await answer(message, onOversized))?.text
    if (text === undefined) return undefined
    if (text.length > smallLength && totalLength + text.length > maxResponseLength - messages.length * smallLength) {
      isFull = true
      return refuse(message)
    }
    totalLength += text.length
    return text
  })))
  return texts.filter(text => text !== undefined)
}
