import type { OutsideAnswer } from '../http/client.js'
import type { Reading } from './formats/format.js'
import { SourceError } from './source.js'

/* What a source answered, taken for no more than it is: a status of 200 may stand over an error page. */

/** The answer's text where its status says that it is one. @throws SourceError with what the source says of a refused question */
export function textOf (answer: OutsideAnswer, title: string): string {
  const text = answer.bytes.toString('utf8')
  if (answer.status >= 200 && answer.status < 300) return text
  const fault = answer.status === 400 || answer.status === 404 || answer.status === 414 || answer.status === 422 ? 'bad_query' : 'unavailable'
  throw new SourceError(fault, `${title} refused the question with status ${answer.status}${said(text)}.`)
}

/** The object that the answer's text holds. @throws SourceError */
export function jsonOf (answer: OutsideAnswer, title: string): JsonObject {
  const text = textOf(answer, title)
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value
  } catch {}
  throw new SourceError('wrong_answer', `${title} answered with something that is not the JSON of its interface${said(text)}.`)
}

/** The beginning of what an answer says, for a person; a page's markup says nothing. */
export function said (text: string): string {
  const words = text.slice(0, 4000).replace(/<(style|script)\b[^]*?<\/\1>/gi, ' ').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ').trim()
  return words === '' ? '' : `: ${words.slice(0, 160)}`
}

export type JsonObject = Record<string, unknown>

const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A value's objects, whatever else it holds; none where it is no list. */
export const objects = (value: unknown): JsonObject[] => Array.isArray(value) ? value.filter(isObject) : []

/** An object's part; an empty one where there is none. */
export const object = (value: unknown): JsonObject => isObject(value) ? value : {}

/** A text, or a number as text; empty where it is neither. */
export const text = (value: unknown): string => typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Reads a list's records one by one: what cannot be read is told with its place, and takes no other with it. */
export function readAll (items: readonly unknown[], read: (item: JsonObject) => Reading extends infer R ? Omit<R & object, 'place'> : never): Reading[] {
  return items.map((item, at) => ({ place: at + 1, ...(isObject(item) ? read(item) : { reason: 'a record must be an object' }) }) as Reading)
}
