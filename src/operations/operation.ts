import type { Static, TObject } from 'typebox'
import { type Encoding, validator } from '../errors/validator.js'
import type { Context } from './context.js'

interface Description<I extends TObject, O extends TObject> {
  /** Also the name of the MCP tool. */
  readonly name: string
  readonly title: string
  /** For whoever chooses what to call: what it returns, when to use it, when another is better, an example. */
  readonly description: string
  readonly input: I
  readonly output: O
}

interface Definition<I extends TObject, O extends TObject, C extends object> extends Description<I, O> {
  handler (context: C, input: Static<I>): Promise<Static<O>>
}

interface Decoding {
  /** `json` where it is left out. */
  encoding?: Encoding
}

export interface Operation<I extends TObject, O extends TObject, C extends object = Context> extends Description<I, O> {
  /** Validates input without running anything. @throws InvalidArguments */
  readonly check: (input: unknown, options?: Decoding) => Static<I>
  /** Validates input, then does the work. @throws InvalidArguments, and what the operation's own comment names */
  readonly run: (context: C, input: unknown, options?: Decoding) => Promise<Static<O>>
}

/** An operation in a table, where the types of its neighbours differ. */
export type AnyOperation = Operation<any, any, any>

/** Makes an operation. Its handler can be reached through `run` alone, which validates the input first. */
export function operation<I extends TObject, O extends TObject, C extends object = Context> ({ handler, ...description }: Definition<I, O, C>): Operation<I, O, C> {
  const validate = validator(description.input)
  return Object.freeze({
    ...description,
    check: (input: unknown, { encoding }: Decoding = {}) => validate(input, encoding),
    run: async (context: C, input: unknown, { encoding }: Decoding = {}) => await handler(context, validate(input, encoding))
  })
}
