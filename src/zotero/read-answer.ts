import { minuteMs } from '../../schemas/durations.js'
import type { HttpResponse } from '../http/client.js'
import { type Batches, fromBatches } from '../threads/json-batches.js'
import { TaskStopped, WorkerPool } from '../threads/worker-pool.js'
import { type AnswerRequest, type AnswerValues, readValues } from './answer-task.js'
import { ZoteroError } from './errors.js'

/* Parses answers off the event loop unless they are small: a hundred items with thousands of tags each take a tenth of a second. */

const parsers = new WorkerPool<AnswerRequest, Batches | undefined>({
  name: 'Parsing answers of Zotero',
  program: new URL('./answer-thread.js', import.meta.url),
  timeoutMs: minuteMs,
  maxHeapMb: 128,
  maxWaiting: 200
})

/** Parsing a smaller answer takes a few milliseconds, whatever it has; a message to a thread would take longer. */
const maxInlineBytes = 64 * 1024

/**
 * The values of an answer; undefined if it has another form. Long texts and lists in them are cut.
 * @throws ZoteroError, or the signal's reason
 */
export async function valuesIn<Kind extends keyof AnswerValues> (
  { bytes }: HttpResponse,
  kind: Kind,
  signal: AbortSignal | undefined
): Promise<Array<AnswerValues[Kind]> | undefined> {
  if (bytes.length <= maxInlineBytes) return readValues(bytes, kind)
  const batches = await parse({ bytes, kind }, signal)
  if (batches === undefined) return undefined
  const values: Array<AnswerValues[Kind]> = []
  for await (const batch of fromBatches(batches)) for (const value of batch) values.push(value as AnswerValues[Kind])
  return values
}

async function parse (request: AnswerRequest, signal: AbortSignal | undefined): Promise<Batches | undefined> {
  try {
    return await parsers.run(request, { signal })
  } catch (cause) {
    if (!(cause instanceof TaskStopped)) throw cause
    if (cause.reason === 'queue_full') {
      const message = 'Zotero\'s answer was not parsed, because too many others are waiting. It will be retried.'
      throw new ZoteroError('unavailable', message, { cause })
    }
    const excess = cause.reason === 'timeout' ? 'long' : 'much memory'
    throw new ZoteroError('unexpected', `Zotero's answer takes too ${excess} to parse.`, { cause })
  }
}
