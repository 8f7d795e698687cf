import { exceedsLength } from '../../schemas/json-length.js'
import { createYielder } from '../threads/yielder.js'
import { splitText } from '../threads/split-text.js'
import { type JsonParts, PartsWriter } from './json-parts.js'

/** Characters that are serialized at once: a few milliseconds at most. */
const pieceLength = 65_536

/**
 * Serializes plain data piece by piece, so that other requests run in between. The JSON is as `JSON.stringify` writes it.
 * @param maxLength in characters
 * @returns undefined if the JSON is longer
 */
export async function serializeInPieces (value: unknown, maxLength: number): Promise<JsonParts | undefined> {
  const yieldIfDue = createYielder()
  const writer = new PartsWriter()
  for (const piece of jsonPieces(value)) {
    writer.add(piece)
    if (writer.length > maxLength) return undefined
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  return writer.parts
}

/**
 * The JSON of plain data (objects, lists, texts, numbers, booleans, null) in pieces. Small members are serialized together, and long texts
 * in parts.
 */
export function * jsonPieces (value: unknown): Iterable<string> {
  if (typeof value === 'string' && value.length > pieceLength) yield * textPieces(value)
  else if (typeof value !== 'object' || value === null || 'toJSON' in value || !exceedsLength(value, pieceLength)) {
    yield JSON.stringify(value) ?? 'null'
  } else if (Array.isArray(value)) {
    let before = '['
    for (const item of value as unknown[]) {
      yield before
      yield * jsonPieces(item)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, member] of Object.entries(value)) {
      if (member === undefined || typeof member === 'function') continue
      yield `${before}${JSON.stringify(name)}:`
      yield * jsonPieces(member)
      before = ','
    }
    yield before === '{' ? '{}' : '}'
  }
}

/** The JSON of a long text in pieces. */
function * textPieces (text: string): Iterable<string> {
  yield '"'
  for (const piece of splitText(text, pieceLength)) yield escaped(piece)
  yield '"'
}

/** A part of a text as it is between the quotation marks of JSON. */
export const escaped = (part: string): string => JSON.stringify(part).slice(1, -1)
