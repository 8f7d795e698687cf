import { Ajv, type Options, type ValidateFunction } from 'ajv'
import type { Static, TSchema } from 'typebox'
import { formats } from './formats.js'

/** Options of every validator. Schemas come from TypeBox; validating them too would compile the schema of schemas at each start. */
export const ajvOptions = { strictSchema: false, validateSchema: false, meta: false, formats } satisfies Options

const ajv = new Ajv(ajvOptions)

/** Returns a function that gives the validator of a schema. It compiles at its first call, because most processes validate little. */
export function lazyValidator<S extends TSchema> (schema: S): () => ValidateFunction<Static<S>> {
  let compiled: ValidateFunction<Static<S>> | undefined
  return () => {
    compiled ??= ajv.compile<Static<S>>(schema)
    return compiled
  }
}
