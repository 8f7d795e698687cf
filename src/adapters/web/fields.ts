import type { Static, TObject, TSchema } from 'typebox'
import { validator } from '../../errors/validator.js'

/**
 * Makes the reader of what a browser sends, an address's query or a form: text alone, no boolean where a box is not ticked, one value where
 * a list has one entry. Names that are not in the schema are ignored.
 * @throws InvalidArguments
 */
export function fieldsReader<S extends TObject> (schema: S): (sent: Readonly<Record<string, unknown>>) => Static<S> {
  const check = validator(schema)
  return sent => {
    const fields = Object.entries(schema.properties).flatMap(([name, property]) => {
      const value = valueOf(property, Object.hasOwn(sent, name) ? sent[name] : undefined)
      return value === undefined ? [] : [[name, value] as const]
    })
    return check(Object.fromEntries(fields), 'text')
  }
}

function valueOf (property: TSchema, value: unknown): unknown {
  const { type } = property as { type?: string }
  if (type === 'array') return (Array.isArray(value) ? value : [value]).filter(each => each !== undefined && each !== '')
  const last = Array.isArray(value) ? value.at(-1) : value
  if (type === 'boolean') return last === undefined ? undefined : last === 'on' || last === 'true' || last === true
  return last === '' ? undefined : last
}

/** Of a form, where a box that is not ticked is not sent at all. */
export function formReader<S extends TObject> (schema: S): (sent: Readonly<Record<string, unknown>>) => Static<S> {
  const read = fieldsReader(schema)
  const boxes = Object.entries(schema.properties).filter(([, property]) => (property as { type?: string }).type === 'boolean').map(([name]) => [name, false] as const)
  return sent => read({ ...Object.fromEntries(boxes), ...sent })
}
