import { sample, stringMatching } from 'fast-check'
import type { TObject, TSchema } from 'typebox'
import { formats } from '../../schemas/formats.js'
import { ReceivedFile } from '../../schemas/received-file.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import type { Encoding } from '../../src/input/validator.js'
import type { AnyOperation } from '../../src/operations/operation.js'

interface Part {
  type?: string
  format?: string
  pattern?: string
  enum?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxBytes?: number
  items?: TSchema
  properties?: Record<string, TSchema>
  anyOf?: Part[]
}

/** A file as the server hands it to an operation. */
export const receivedPdf: ReceivedFile = Object.assign(Object.create(ReceivedFile.prototype), { path: '/dev/null', size: 8 })

/** An input that the schema allows, with the required properties alone. */
export function smallestInput (schema: TObject): Record<string, unknown> {
  const required = (schema as { required?: string[] }).required ?? []
  return Object.fromEntries(required.map(name => [name, valid(schema.properties[name] as Part)]))
}

/** Inputs that break the schema in one property each, the others being right. */
export function * forbidden (schema: TObject): Iterable<[what: string, input: unknown, property?: string]> {
  const properties = schema.properties as Record<string, Part>
  const right = smallestInput(schema)
  yield ['no object', 'text']
  yield ['a list', []]
  yield ['an unknown field', { ...right, surprise: 1 }, 'surprise']
  for (const name of Object.keys(right)) {
    const { [name]: _left, ...others } = right
    yield [`without ${name}`, others, name]
  }
  for (const [name, part] of Object.entries(properties)) {
    for (const [what, value] of wrong(part)) yield [`${name} ${what}`, { ...right, [name]: value }, name]
  }
}

/** A value that a part of a schema allows. */
export function valid (part: Part): unknown {
  if (part.maxBytes !== undefined) return receivedPdf
  if (part.anyOf !== undefined) return valid(part.anyOf[0]!)
  if (part.enum !== undefined) return part.enum[0]
  if (part.type === 'string') return validText(part)
  if (part.type === 'boolean') return true
  if (part.type === 'array') return Array.from({ length: part.minItems ?? 1 }, () => valid(part.items as Part))
  if (part.type === 'object') return Object.fromEntries(Object.entries(part.properties!).map(([name, each]) => [name, valid(each as Part)]))
  return part.minimum ?? 0
}

/** A valid text of each format. */
const textOfFormat: Readonly<Record<string, string>> = {
  uuid: '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11',
  email: 'someone@example.org',
  date: '2026-11-20',
  'date-time': '2026-11-20T08:00:00Z'
}

function validText ({ format, pattern, minLength = 0 }: Part): string {
  if (format !== undefined && textOfFormat[format] !== undefined) return textOfFormat[format]
  const text = 'x'.repeat(Math.max(minLength, 3))
  const form = pattern === undefined ? undefined : new RegExp(pattern, 'u')
  return form === undefined || form.test(text) ? text : sample(stringMatching(form), { numRuns: 1, seed: 1 })[0]!
}

/** Whether a text breaks a format or pattern. */
const isMalformed = ({ format, pattern }: Part, text: string) =>
  (format !== undefined && !formats[format]!(text)) || (pattern !== undefined && !new RegExp(pattern, 'u').test(text))

/** Values that a part of a schema forbids. */
export function * wrong (part: Part): Iterable<[what: string, value: unknown]> {
  if (part.maxBytes !== undefined) {
    yield ['is no file', 'text']
    return
  }
  yield ['is an object', { surprise: 1 }]
  if (part.anyOf !== undefined) {
    if (part.anyOf[0]!.enum !== undefined) yield ['is none of the choices', 'surprise']
    return
  }
  if (part.enum !== undefined) yield ['is none of the choices', 'surprise']
  if (part.type === 'string') {
    yield ['is a number', 42]
    yield ['has a NUL character', 'x\0x']
    if (part.maxLength !== undefined) yield ['is too long', 'x'.repeat(part.maxLength + 1)]
    if ((part.minLength ?? 0) > 0) yield ['is too short', 'x'.repeat(part.minLength! - 1)]
    if (isMalformed(part, 'not-a-uuid')) yield ['is malformed', 'not-a-uuid']
    else if (isMalformed(part, '!!!')) yield ['has no words', '!!!']
    if (part.pattern === '\\S') yield ['is blank', '   ']
  }
  if (part.type === 'number' || part.type === 'integer') {
    yield ['is a text', 'surprise']
    if (part.type === 'integer') yield ['is a fraction', 1.5]
    if (part.maximum !== undefined) yield ['is too large', part.maximum + 1]
    if (part.minimum !== undefined) yield ['is too small', part.minimum - 1]
  }
  if (part.type === 'boolean') yield ['is a text', 'surprise']
  if (part.type === 'array') {
    const one = valid(part.items as Part)
    if (part.maxItems !== undefined) yield ['has too many entries', Array.from({ length: part.maxItems + 1 }, () => one)]
    if (part.minItems !== undefined) yield ['has too few entries', []]
    for (const [what, value] of wrong(part.items as Part)) {
      yield [`has an entry that ${what}`, [...Array.from({ length: Math.max((part.minItems ?? 1) - 1, 0) }, () => one), value]]
    }
  }
}

/** Finds the refusal of an input; undefined for an accepted one. */
export function refusalOf (operation: Pick<AnyOperation, 'check'>, input: unknown, encoding: Encoding): InvalidArguments | undefined {
  try {
    operation.check(input, { encoding })
    return undefined
  } catch (error) {
    return error as InvalidArguments
  }
}

/** A value as an address or a form has it; undefined if it has no such form. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
