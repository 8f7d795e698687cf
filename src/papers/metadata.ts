import { isObject } from '../../schemas/json-object.js'
import { keywordsOf } from '../../schemas/keywords.js'
import { PaperMetadata } from '../../schemas/metadata.js'

const types = new Map(
  Object.entries(PaperMetadata.properties).map(([name, schema]) => [name, keywordsOf(schema).type ?? 'text or list'])
)

/**
 * Reads metadata that a file or a source states in any form. A known field is converted to its own type; where that loses something,
 * `other` keeps what was stated. Unknown fields stay as they are. Idempotent.
 */
export function readMetadata (stated: Readonly<Record<string, unknown>>): PaperMetadata {
  const read = new Map<string, unknown>()
  const other = new Map<string, unknown>()
  for (const [name, value] of Object.entries(stated)) {
    const type = types.get(name)
    if (name === 'other' && isObject(value)) for (const [each, kept] of Object.entries(value)) other.set(each, kept)
    else if (type === undefined) read.set(name, value)
    else if (value !== null) {
      const converted = convert(value, type)
      if (converted !== undefined) read.set(name, converted)
      if (converted === undefined || listOf(converted).length !== listOf(value).length) other.set(name, value)
    }
  }
  if (other.size > 0) read.set('other', Object.fromEntries(other))
  return Object.fromEntries(read)
}

/** @returns undefined where a value has nothing of the type */
function convert (value: unknown, type: string): unknown {
  const texts = listOf(value).filter(each => typeof each === 'string' || typeof each === 'number').map(String)
  switch (type) {
    case 'boolean': return typeof value === 'boolean' ? value : undefined
    case 'integer': return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined
    case 'string': return texts[0]
    case 'array': return texts.length > 0 || isEmptyList(value) ? texts : undefined
    case 'text or list': return !Array.isArray(value) ? texts[0] : texts.length > 0 || isEmptyList(value) ? texts : undefined
    default: return undefined
  }
}

const listOf = (value: unknown): unknown[] => Array.isArray(value) ? value : [value]
const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0
