/** Width of a line of the texts below. */
const columns = 140

type Json = string | number | boolean | null | Json[] | { [name: string]: Json }

/** Writes JSON with each object or list on one line where it fits. */
export function compactJson (value: Json, indent = ''): string {
  const line = oneLine(value)
  if (value === null || typeof value !== 'object' || indent.length + line.length <= columns) return line
  const inner = `${indent}  `
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  const items = Array.isArray(value)
    ? value.map(each => compactJson(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${compactJson(each, inner)}`)
  return `${open}\n${items.map(item => inner + item).join(',\n')}\n${indent}${close}`
}

function oneLine (value: Json): string {
  if (Array.isArray(value)) return `[${value.map(oneLine).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  return `{ ${Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${oneLine(each)}`).join(', ')} }`
}

interface Schema {
  type?: string
  format?: string
  const?: Json
  enum?: Json[]
  anyOf?: Schema[]
  allOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
  [keyword: string]: unknown
}

/** Keywords that `shapeOf` writes in a notation of its own, or that change nothing for a caller. */
const rendered = new Set([
  'type', 'format', 'const', 'enum', 'anyOf', 'allOf', 'items', 'properties', 'required', 'additionalProperties', 'patternProperties',
  'description', 'title', 'examples'
])

/**
 * Writes a schema as a type: `{ id: string(uuid), limit?: integer{minimum 1, default 10}, items: { … }[] }`, with its names in
 * alphabetical order.
 */
export function shapeOf (schema: Schema): string {
  const rules = Object.entries(schema).filter(([keyword]) => !rendered.has(keyword))
  const bounds = rules.length === 0 ? '' : `{${rules.map(([keyword, value]) => `${keyword} ${JSON.stringify(value)}`).sort().join(', ')}}`
  return typeOf(schema) + bounds
}

function typeOf (schema: Schema): string {
  const { type, format, enum: values, anyOf, allOf, items, properties, required = [], additionalProperties, patternProperties } = schema
  if ('const' in schema) return JSON.stringify(schema.const)
  if (values !== undefined) return values.map(value => JSON.stringify(value)).join(' | ')
  if (anyOf !== undefined) return anyOf.map(shapeOf).join(' | ')
  if (allOf !== undefined) return allOf.map(shapeOf).join(' & ')
  if (items !== undefined) return items.anyOf === undefined && items.enum === undefined ? `${shapeOf(items)}[]` : `(${shapeOf(items)})[]`
  if (type !== 'object') return format === undefined ? type ?? 'any' : `${type}(${format})`
  const members = [
    ...Object.keys(properties ?? {}).sort().map(name => `${name}${required.includes(name) ? '' : '?'}: ${shapeOf(properties![name]!)}`),
    ...Object.entries(patternProperties ?? {}).map(([pattern, each]) => `[${pattern}]: ${shapeOf(each)}`),
    ...(typeof additionalProperties === 'object' ? [`[*]: ${shapeOf(additionalProperties)}`] : [])
  ]
  return `{ ${members.join(', ')} }${additionalProperties === false ? '!' : ''}`
}

interface Content { content?: Record<string, { schema?: Schema }>, description?: string }
interface Operation {
  operationId?: string
  security?: Array<Record<string, string[]>>
  parameters?: Array<{ in: string, name: string, required?: boolean, schema: Schema }>
  requestBody?: Content
  responses: Record<string, Content>
}

/**
 * Writes the routes of an OpenAPI document, each with its parameters and the shapes of its body and responses. A closed object ends with
 * "!". A shape that several bodies share is written once, at the end, under the name of the first route that has it.
 */
export function describeRoutes ({ paths }: { paths: Record<string, Record<string, Operation>> }): string {
  const uses = new Map<string, string[]>()
  const routes = Object.keys(paths).sort().flatMap(path => Object.keys(paths[path]!).sort().map(method => {
    const operation = paths[path]![method]!
    const { operationId, security, parameters = [], requestBody, responses } = operation
    const name = `${method.toUpperCase()} ${path}`
    const credentials = (security ?? []).flatMap(Object.keys).join(' | ')
    const contentOf = (label: string, { content }: Content) => Object.entries(content ?? { nothing: {} }).map(([type, { schema }]) => {
      const shape = schema === undefined ? '' : shapeOf(schema)
      if (shape.length > columns) uses.set(shape, [...uses.get(shape) ?? [], /^[45]/.test(label) ? 'error' : `${label} of ${name}`])
      return { label: type === 'application/json' ? label : `${label} ${type}`, shape }
    })
    const lines = [
      ...parameters
        .map(({ in: place, name, required, schema }) => ({ label: `${place} ${name}${required === true ? '' : '?'}`, shape: shapeOf(schema) }))
        .sort((a, b) => a.label < b.label ? -1 : 1),
      ...(requestBody === undefined ? [] : contentOf('body', requestBody)),
      ...Object.keys(responses).sort().flatMap(status => contentOf(status, responses[status]!))
    ]
    const caller = credentials === '' ? '' : `, with ${credentials}`
    return { title: `${name}: ${operationId ?? 'no operation'}${caller}`, lines }
  }))
  const nameOf = (shape: string) => {
    const users = uses.get(shape)
    return users === undefined || users.length === 1 ? shape : `as ${users[0]}`
  }
  const shared = [...uses].filter(([, users]) => users.length > 1)
  return [
    ...routes.map(({ title, lines }) => [
      title,
      ...mergeEqual(lines).map(({ label, shape }) => wrap(`  ${label} ${nameOf(shape)}`.trimEnd()))
    ].join('\n')),
    ...shared.map(([shape, [first]]) => wrap(`${first}\n  ${shape}`))
  ].join('\n\n')
}

interface Line { label: string, shape: string }

/** Writes responses of one shape in one line: errors differ by status alone. */
function mergeEqual (lines: readonly Line[]): Line[] {
  const merged: Line[] = []
  for (const line of lines) {
    const last = merged.at(-1)
    if (last !== undefined && last.shape === line.shape && /^\d+$/.test(line.label)) last.label += `, ${line.label}`
    else merged.push({ ...line })
  }
  return merged
}

/** Breaks long lines at members of a shape. */
const wrap = (text: string) => text.split('\n').map(line => {
  const lines: string[] = []
  let current = ''
  for (const part of line.split(/(?<=, |\| )/)) {
    if (current !== '' && current.length + part.length > columns) {
      lines.push(current.trimEnd())
      current = '      '
    }
    current += part
  }
  return [...lines, current].join('\n')
}).join('\n')
