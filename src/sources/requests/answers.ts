import { isObject, type JsonObject } from '../../../schemas/json-object.js'
import type { HttpResponse } from '../../http/client.js'
import { createYielder } from '../../threads/yielder.js'
import { limitParsed, type ParsedRecord, type ParseResult } from '../formats/format.js'
import { SourceError } from '../source.js'

/* Reads sources' answers with suspicion: a status of 200 may come with an error page. */

/** Bytes that hold an excerpt. */
const maxExcerptBytes = 16_000

/** Whether the status of an answer says that the source has answered. */
export const isSuccess = ({ status }: HttpResponse): boolean => status >= 200 && status < 300

/** The text of a successful answer. @throws SourceError for any other status */
export function textOf (answer: HttpResponse, title: string): string {
  if (isSuccess(answer)) return answer.bytes.toString('utf8')
  const detail = excerpt(answer.bytes.toString('utf8', 0, maxExcerptBytes))
  if ([400, 404, 414, 422].includes(answer.status)) throw rejectedQuery(title, detail, answer.status)
  throw new SourceError('unavailable', `${title} refused the request (status ${answer.status}).`, { detail })
}

/** The JSON object of a successful answer. @throws SourceError */
export function jsonOf (answer: HttpResponse, title: string): JsonObject {
  const text = textOf(answer, title)
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw unexpectedAnswer(title, 'its JSON', text)
}

/** @param detail what the source says about it, for the log */
export const rejectedQuery = (title: string, detail: string, status?: number): SourceError =>
  new SourceError('bad_query', `${title} rejected the query${status === undefined ? '' : ` (status ${status})`}. Check its syntax.`, {
    detail
  })

/** @param expected what the answer should have been */
export const unexpectedAnswer = (title: string, expected: string, text: string, options: ErrorOptions = {}): SourceError =>
  new SourceError('wrong_answer', `${title} sent something other than ${expected}.`, { ...options, detail: excerpt(text) })

/** Requires that a listing whose first page is empty has no papers: otherwise the source has failed. @throws SourceError */
export function requireNone (title: string, count: unknown): void {
  const papers = Number(text(count) || 0)
  if (papers > 0) throw new SourceError('unavailable', `${title} listed none of the ${papers} papers that it has.`)
}

/** The first words of an answer, without markup. */
export const excerpt = (text: string): string =>
  text.slice(0, 4000).replace(/<(style|script)\b[^]*?<\/\1>/gi, ' ').replace(/<[^<>]*>/g, ' ').replace(/\s+/g, ' ').trim().slice(0, 160)

/** The objects in a list; empty for other values. */
export const objects = (value: unknown): JsonObject[] => Array.isArray(value) ? value.filter(isObject) : []

/** A value that is an object; an empty object for anything else. */
export const object = (value: unknown): JsonObject => isObject(value) ? value : {}

/** A string, or a number as a string; empty for anything else. */
export const text = (value: unknown): string => typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Values of a list that are read, at most. */
const maxTexts = 10_000

/** The texts in a list; empty for other values. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.slice(0, maxTexts).map(text).filter(each => each !== '') : []

/** Parses each item of a list, in time slices, within the limits of records; an invalid one becomes a reason and affects no other. */
export async function parseAll (items: readonly unknown[], parse: (item: JsonObject) => ParseResult): Promise<ParsedRecord[]> {
  const yieldIfDue = createYielder()
  const parsed: ParsedRecord[] = []
  for (const [at, item] of items.entries()) {
    await yieldIfDue()
    parsed.push(limitParsed({ place: at + 1, ...(isObject(item) ? parse(item) : { reason: 'a record must be an object' }) }))
  }
  return parsed
}
