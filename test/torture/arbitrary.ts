import fc from 'fast-check'

interface Shape {
  type?: string
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  anyOf?: Shape[]
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

/** Unexpected values of every JSON type. */
export const unexpectedValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue(),
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.double(),
  fc.integer(),
  fc.constantFrom(null, '', '\u0000', '\ud800', '__proto__', "'; --", '%00', '../..', 'x'.repeat(5000), -1, 1e308, [], {}, true)
)

/**
 * Inputs for a schema: mostly valid, sometimes with missing, additional or strange arguments. @param ids values for UUIDs and references
 */
export function inputsForSchema (schema: unknown, ids: readonly string[]): fc.Arbitrary<unknown> {
  const shape = schema as Shape
  if (shape.enum !== undefined) return mostlyValid(fc.constantFrom(...shape.enum))
  if (shape.const !== undefined) return mostlyValid(fc.constant(shape.const))
  if (shape.anyOf !== undefined) return fc.oneof(...shape.anyOf.map(each => inputsForSchema(each, ids)))
  if (shape.type === 'object') {
    const members = Object.fromEntries(Object.entries(shape.properties ?? {}).map(([name, each]) => [name, inputsForSchema(each, ids)]))
    const valid = fc.record(members, { requiredKeys: (shape.required ?? []) as never[] })
    return fc.oneof(
      { weight: 6, arbitrary: valid },
      fc.record(members, { requiredKeys: [] }),
      fc.tuple(valid, fc.string(), unexpectedValues).map(([value, name, more]) => ({ ...value, [name]: more }))
    )
  }
  if (shape.type === 'array') return mostlyValid(fc.array(inputsForSchema(shape.items ?? {}, ids), { maxLength: 4 }))
  if (shape.type === 'integer') {
    return mostlyValid(fc.integer({ min: (shape.minimum ?? 0) - 1, max: Math.min(shape.maximum ?? 1000, 1000) + 1 }))
  }
  if (shape.type === 'number') return mostlyValid(fc.double({ min: (shape.minimum ?? 0) - 1, max: (shape.maximum ?? 1) + 1, noNaN: true }))
  if (shape.type === 'boolean') return mostlyValid(fc.boolean())
  if (shape.type === 'string') {
    const text = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: shape.minLength ?? 0, maxLength: Math.min((shape.maxLength ?? 200) + 1, 300) }),
      fc.constantFrom('sleep', 'sleep memory', '2026-01-01', '2026-01-01T00:00:00Z', 'a@example.org', 'https://example.org/x')
    )
    return mostlyValid(shape.format === 'uuid' || shape.minLength === undefined ? fc.oneof(fc.constantFrom(...ids), text) : text)
  }
  return unexpectedValues
}

const mostlyValid = <T>(valid: fc.Arbitrary<T>): fc.Arbitrary<unknown> => fc.oneof({ weight: 9, arbitrary: valid }, unexpectedValues)
