import { searchFormats } from '../../../schemas/search-text.js'

/** A JSON Schema, with the keywords that contain others. */
interface JsonSchema {
  properties?: Record<string, JsonSchema>
  items?: JsonSchema
  anyOf?: JsonSchema[]
  [keyword: string]: unknown
}

/** Keywords that a client needs besides those that contain schemas. Descriptions, bounds and formats are in the OpenAPI document. */
const kept = new Set(['type', 'enum'])
/** Texts that may be as long are written by models, which need to know how long they may be. */
const minLongText = 1000
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
  const short = shortened({ ...schema }, extent)
  const counts = new Map<string, number>()
  count(short, counts)
  const names = new Map<string, string>()
  const definitions: Record<string, JsonSchema> = {}
  const root = withReferences(short, { counts, names, definitions }, true)
  return names.size === 0 ? root : { ...root, $defs: definitions }
}

/**
 * An input schema without the formats of search texts, since strict clients refuse formats that JSON Schema does not define, and without
 * bounds that tell a model nothing: the largest number, and lengths of names that only hostile ones have. Searches state theirs.
 */
export const publishedInput = (schema: object): object => publishedArgument({ ...schema })

function publishedArgument (schema: JsonSchema): JsonSchema {
  const isSearch = Object.hasOwn(searchFormats, String(schema.format))
  const short: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'format' && isSearch) continue
    if (keyword === 'maximum' && value === Number.MAX_SAFE_INTEGER) continue
    if (keyword === 'minLength' && !isSearch) continue
    if (keyword === 'maxLength' && !isSearch && Number(value) < minLongText) continue
    short[keyword] = value
  }
  if (schema.items !== undefined) short.items = publishedArgument(schema.items)
  if (schema.properties !== undefined) short.properties = mapped(schema.properties, publishedArgument)
  return short
}

function shortened (schema: JsonSchema, extent: Extent, depth = 0): JsonSchema {
  const { maxDepth, described } = extent
  const record = depth === 0 ? undefined : described?.get(JSON.stringify(schema))
  if (record !== undefined) return { type: 'object', description: record }
  const { properties, items, anyOf, ...others } = schema
  const short: JsonSchema = {}
  for (const [name, value] of Object.entries(others)) {
    // A list of one word tells nothing.
    if (kept.has(name) && !(Array.isArray(value) && value.length === 1)) short[name] = value
  }
  if (properties !== undefined && depth < maxDepth) short.properties = mapped(properties, each => shortened(each, extent, depth + 1))
  if (items !== undefined) short.items = shortened(items, extent, depth)
  if (anyOf !== undefined) Object.assign(short, oneObject(anyOf.map(each => shortened(each, extent, depth))))
  return short
}

const mapped = (schemas: Record<string, JsonSchema>, convert: (schema: JsonSchema) => JsonSchema): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, each]) => [name, convert(each)]))

/** The forms of an object as one object with the properties of all. */
function oneObject (forms: JsonSchema[]): JsonSchema {
  // Forms of a record that another tool describes.
  if (forms.every(({ description }) => description !== undefined)) return forms[0]!
  if (!forms.every(({ type, properties }) => type === 'object' && properties !== undefined)) return { anyOf: forms }
  return { type: 'object', properties: Object.assign({}, ...forms.map(({ properties }) => properties).reverse()) }
}

/** The schemas directly below one. */
const below = ({ properties = {}, items, anyOf = [] }: JsonSchema): JsonSchema[] =>
  [...Object.values(properties), ...(items === undefined ? [] : [items]), ...anyOf]

function count (schema: JsonSchema, counts: Map<string, number>): void {
  for (const each of below(schema)) {
    const text = JSON.stringify(each)
    const seen = counts.get(text) ?? 0
    counts.set(text, seen + 1)
    // A definition contains its subschemas, so they need none of their own.
    if (seen === 0) count(each, counts)
  }
}

interface Definitions { counts: Map<string, number>, names: Map<string, string>, definitions: Record<string, JsonSchema> }

function withReferences (schema: JsonSchema, shared: Definitions, isRoot = false): JsonSchema {
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

function replaced (schema: JsonSchema, shared: Definitions): JsonSchema {
  const { properties, items, anyOf, ...others } = schema
  return {
    ...others,
    ...(properties === undefined ? {} : { properties: mapped(properties, each => withReferences(each, shared)) }),
    ...(items === undefined ? {} : { items: withReferences(items, shared) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(each => withReferences(each, shared)) })
  }
}
