import type { TObject } from 'typebox'
import { searchFormats } from '../../../schemas/search-text.js'

type Json = Record<string, unknown>

/** Reduces an output schema to what a client needs. Descriptions, bounds and formats are in the OpenAPI document. */
const kept = new Set(['type', 'properties', 'items', 'enum', 'anyOf', 'const'])
/** A definition is worth its name from this length on. */
const minDefinitionLength = 40

/** How much of an output schema to publish. */
export interface Extent {
  /** Objects within objects deeper than this are open: the schema says that they are objects. */
  maxDepth: number
  /** Records that another tool of the same list describes, by their JSON: only that tool is named. */
  described?: ReadonlyMap<string, string>
}

/**
 * Shortens an output schema for tools/list, where models pay for every character. It stays valid and keeps the properties; a schema that
 * occurs repeatedly becomes one definition.
 */
export function publishedOutput (schema: object, extent: Extent = { maxDepth: 3 }): object {
  const short = shortened(schema, extent)
  const counts = new Map<string, number>()
  count(short, counts)
  const names = new Map<string, string>()
  const definitions: Json = {}
  const root = withReferences(short, { counts, names, definitions }, true)
  return names.size === 0 ? root : { ...root, $defs: definitions }
}

/** An input schema without the formats of search texts: strict clients refuse formats that JSON Schema does not define. */
export function publishedInput (schema: TObject): object {
  const properties = Object.entries(schema.properties as Record<string, Json>).map(([name, part]) => {
    const { format, ...others } = part
    return [name, typeof format === 'string' && Object.hasOwn(searchFormats, format) ? others : part]
  })
  return { ...schema, properties: Object.fromEntries(properties) as Json }
}

function shortened (schema: unknown, extent: Extent, depth = 0): Json {
  const { maxDepth, described } = extent
  const record = depth === 0 ? undefined : described?.get(JSON.stringify(schema))
  if (record !== undefined) return { type: 'object', description: record }
  const short: Json = {}
  for (const [name, value] of Object.entries(schema as Json)) {
    if (name === 'properties' && depth >= maxDepth) continue
    if (name === 'properties') {
      short[name] = Object.fromEntries(
        Object.entries(value as Json).map(([property, each]) => [property, shortened(each, extent, depth + 1)])
      )
    } else if (name === 'items') short[name] = shortened(value, extent, depth)
    else if (name === 'anyOf') Object.assign(short, oneObject((value as unknown[]).map(each => shortened(each, extent, depth))))
    else if (kept.has(name)) short[name] = value
  }
  // The words alone say that they are text.
  if (short.enum !== undefined || short.const !== undefined) delete short.type
  return short
}

/** The forms of an object as one object with the properties of all. */
function oneObject (forms: Json[]): Json {
  // Forms of a record that another tool describes.
  if (forms.every(({ description }) => description !== undefined)) return forms[0]!
  if (!forms.every(({ type, properties }) => type === 'object' && properties !== undefined)) return { anyOf: forms }
  return { type: 'object', properties: Object.assign({}, ...forms.map(({ properties }) => properties).reverse()) as Json }
}

/** The schemas directly below one. */
function * below (schema: Json): Iterable<Json> {
  yield * Object.values((schema.properties ?? {}) as Record<string, Json>)
  if (schema.items !== undefined) yield schema.items as Json
  yield * (schema.anyOf ?? []) as Json[]
}

function count (schema: Json, counts: Map<string, number>): void {
  for (const each of below(schema)) {
    const text = JSON.stringify(each)
    const seen = counts.get(text) ?? 0
    counts.set(text, seen + 1)
    // A definition contains its subschemas, so they need none of their own.
    if (seen === 0) count(each, counts)
  }
}

interface Definitions { counts: Map<string, number>, names: Map<string, string>, definitions: Json }

function withReferences (schema: Json, shared: Definitions, isRoot = false): Json {
  const text = JSON.stringify(schema)
  if (!isRoot && text.length >= minDefinitionLength && shared.counts.get(text)! > 1) {
    const known = shared.names.get(text)
    const name =
      known ?? String.fromCharCode(97 + (shared.names.size % 26)) + (shared.names.size < 26 ? '' : Math.floor(shared.names.size / 26))
    if (known === undefined) {
      shared.names.set(text, name)
      shared.definitions[name] = replaced(schema, shared)
    }
    return { $ref: `#/$defs/${name}` }
  }
  return replaced(schema, shared)
}

function replaced (schema: Json, shared: Definitions): Json {
  const { properties, items, anyOf, ...others } = schema
  return {
    ...others,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties as Record<string, Json>).map(([name, each]) => [name, withReferences(each, shared)])
          )
        }),
    ...(items === undefined ? {} : { items: withReferences(items as Json, shared) }),
    ...(anyOf === undefined ? {} : { anyOf: (anyOf as Json[]).map(each => withReferences(each, shared)) })
  }
}
