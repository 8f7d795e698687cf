import { minuteMs } from '../../../schemas/durations.js'
import type { JsonObject } from '../../../schemas/json-object.js'
import type { HttpResponse } from '../../http/client.js'
import { fromBatches } from '../../threads/json-batches.js'
import { createYielder } from '../../threads/yielder.js'
import { TaskStopped, WorkerPool } from '../../threads/worker-pool.js'
import type { Format, ParsedRecord } from '../formats/format.js'
import { type ItemParser, type SourceContext, SourceError } from '../source.js'
import { type AnswerContent, type AnswerRequest, type ItemList, readText, takeItems } from './answer-task.js'
import { isSuccess, jsonOf, parseAll, textOf, unexpectedAnswer } from './answers.js'
import type { Page } from './bisect.js'

/* Parses answers off the event loop unless they are small: a page of papers with thousands of authors each takes seconds. */

/** One thread, whose accounts take turns. */
const parsers = new WorkerPool<AnswerRequest, AnswerContent>({
  name: 'Parsing answers',
  program: new URL('./answer-thread.js', import.meta.url),
  timeoutMs: minuteMs,
  maxHeapMb: 256,
  maxWaiting: 200
})

/** Parsing a smaller answer takes a few milliseconds, whatever it has; a message to a thread would take longer. */
const maxInlineBytes = 64 * 1024
/** Bytes that tell what an answer is. */
const headBytes = 64 * 1024

/** The account that an answer is for, and what ends parsing it. */
export type Caller = Pick<SourceContext, 'account' | 'signal'>

/** The start of a successful answer. @throws SourceError for any other status */
export const headOf = (answer: HttpResponse, title: string): string =>
  textOf({ ...answer, bytes: answer.bytes.subarray(0, headBytes) }, title)

/** An answer in JSON without its items, and these. */
export interface ItemAnswer<Item> {
  /** The list is there, but empty. */
  answer: JsonObject
  items: Item[]
}

/**
 * The items of a successful answer. Long texts and lists in them are cut. The bytes of a large answer move to another thread: the caller
 * must not use them afterwards.
 * @throws SourceError, or the signal's reason
 */
export async function readItems (
  response: HttpResponse,
  title: string,
  list: ItemList,
  caller: Caller
): Promise<ItemAnswer<JsonObject>> {
  if (!isLarge(response)) {
    const answer = jsonOf(response, title)
    return { items: takeItems(answer, list), answer }
  }
  return await readOffThread(response, title, list, caller) as ItemAnswer<JsonObject>
}

/**
 * The records that a source's parser makes of an answer's items, within the limits of records. The bytes of a large answer move to another
 * thread: the caller must not use them afterwards.
 * @param list path of names to the items @throws SourceError, or the signal's reason
 */
export async function readItemRecords (
  response: HttpResponse,
  title: string,
  { list, parser }: { list: readonly string[], parser: ItemParser },
  caller: Caller
): Promise<ItemAnswer<ParsedRecord>> {
  if (!isLarge(response)) {
    const answer = jsonOf(response, title)
    return { items: await parseAll(takeItems(answer, { list }), parser.parse), answer }
  }
  return await readOffThread(response, title, { list, parser: parser.name }, caller) as ItemAnswer<ParsedRecord>
}

const isLarge = (response: HttpResponse): boolean => response.bytes.length > maxInlineBytes && isSuccess(response)

async function readOffThread (
  { bytes }: HttpResponse,
  title: string,
  request: ItemList & { parser?: string },
  caller: Caller
): Promise<ItemAnswer<unknown>> {
  const content = await parse({ bytes, ...request }, title, caller)
  if ('unreadable' in content) throw unexpectedAnswer(title, 'its JSON', content.unreadable)
  const items: unknown[] = []
  for await (const batch of fromBatches(content.batches)) items.push(...batch)
  return { answer: JSON.parse(content.rest!) as JsonObject, items }
}

/**
 * The records of an answer in a format, and what ended the answer early. The bytes of a large answer move to another thread: the caller
 * must not use them afterwards.
 * @throws SourceError, or the signal's reason
 */
export async function readRecordPage (answer: HttpResponse, title: string, format: Format, caller: Caller): Promise<Page> {
  const parsed: ParsedRecord[] = []
  let failure: string | undefined
  for await (const each of recordsOf(answer, title, format, caller)) {
    if ('reason' in each && each.ended === true) failure = each.reason
    parsed.push(each)
  }
  return { parsed, failure }
}

async function * recordsOf ({ bytes }: HttpResponse, title: string, format: Format, caller: Caller): AsyncIterable<ParsedRecord> {
  if (bytes.length <= maxInlineBytes) {
    yield * readText(bytes.toString('utf8'), format, createYielder())
    return
  }
  const content = await parse({ bytes, format: format.name }, title, caller)
  if (!('batches' in content)) return
  for await (const batch of fromBatches(content.batches)) yield * batch as ParsedRecord[]
}

async function parse (request: AnswerRequest, title: string, { account, signal }: Caller): Promise<AnswerContent> {
  const { buffer, byteLength } = request.bytes
  try {
    return await parsers.run(request, {
      signal,
      ...(account === undefined ? {} : { owner: account }),
      // Memory that it shares with nothing else moves at once.
      ...(buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? { transfer: [buffer] } : {})
    })
  } catch (cause) {
    if (!(cause instanceof TaskStopped)) throw cause
    if (cause.reason === 'queue_full') {
      const message = `${title}'s answer was not parsed, because too many others are waiting. It will be retried.`
      throw new SourceError('unavailable', message, { cause })
    }
    const excess = cause.reason === 'timeout' ? 'long' : 'much memory'
    throw new SourceError('wrong_answer', `${title}'s answer takes too ${excess} to parse. Narrow the query.`, { cause })
  }
}
