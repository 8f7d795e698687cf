import type { Static, TObject, TSchema } from 'typebox'
import type { KeyScope } from '../../schemas/key.js'
import { keywordsOf } from '../../schemas/keywords.js'
import { type Encoding, validator } from '../input/validator.js'
import { type OperationError, ProjectNotFound, ResultTooLarge, Unavailable, WorkStopped } from '../errors/operation-errors.js'
import { TaskStopped } from '../threads/worker-pool.js'
import { projectNotFound } from './project-not-found.js'
import { type KeyContext, requireScope, requireVisible } from './key-access.js'
import type { Context } from './context.js'

interface Description<I extends TObject, O extends TObject> {
  /** Unique: the operation id in OpenAPI, and the name of its MCP tool if it has one. */
  readonly name: string
  readonly title: string
  /** Says what it returns, when to use it, when to use another, and an example. */
  readonly description: string
  readonly input: I
  readonly output: O
  /**
   * Scope that a key needs to call it: `act` includes `read`. Without a scope, no key can; sessions, pages and commands always can.
   */
  readonly scope?: KeyScope
}

interface Definition<I extends TObject, O extends TObject, C extends object> extends Description<I, O> {
  handler (context: C, input: Static<I>): Promise<Static<O>>
}

interface Decoding {
  /** Default: `json`. */
  encoding?: Encoding
}

/** One action of the service. */
export interface Operation<I extends TObject, O extends TObject, C extends object = Context> extends Description<I, O> {
  /** Checks that the key of a call may call the operation, before anything of the call is read. @throws Forbidden */
  readonly authorize: (context: KeyContext) => void
  /** Validates input without running anything. @throws InvalidArguments */
  readonly check: (input: unknown, options?: Decoding) => Static<I>
  /**
   * Validates input, checks what the key grants, then runs the handler. @throws InvalidArguments, Forbidden, and the errors that the
   * operation's docstring names
   */
  readonly run: (context: C, input: unknown, options?: Decoding) => Promise<Static<O>>
}

/** An operation of any types, for tables. */
export type AnyOperation = Operation<any, any, any>

/** Creates an operation. Only `run` reaches its handler, after validation. @throws Error if the input accepts unknown properties */
export function operation<I extends TObject, O extends TObject, C extends object = Context> (
  { handler, ...description }: Definition<I, O, C>
): Operation<I, O, C> {
  const open = openObject(description.input)
  if (open !== undefined) throw new Error(`${description.name}: ${open} accepts unknown properties. Set additionalProperties: false.`)
  const validate = validator(description.input, description.name)
  const authorize = (context: KeyContext) => requireScope(context, description.scope)
  return Object.freeze({
    ...description,
    authorize,
    check: (input: unknown, { encoding }: Decoding = {}) => validate(input, encoding),
    async run (context: C, input: unknown, { encoding }: Decoding = {}) {
      const valid = validate(input, encoding)
      authorize(context as KeyContext)
      try {
        return await handler(context, requireVisible(context as KeyContext, valid))
      } catch (cause) {
        if (cause instanceof TaskStopped) throw fromStoppedTask(cause)
        if (cause instanceof ResultTooLarge) throw new ResultTooLarge(Object.keys(description.input.properties))
        // Background jobs have no caller who could use a list of projects.
        throw description.scope !== undefined && cause instanceof ProjectNotFound && !cause.namesProjects
          ? await projectNotFound(context, cause.projectId)
          : cause
      }
    }
  })
}

/** The error for callers about a task of a thread that did not start, or did not end within its limits. */
const fromStoppedTask = (cause: TaskStopped): OperationError => cause.reason === 'queue_full'
  ? new Unavailable('The service is overloaded.', { cause })
  : new WorkStopped('This took more time or memory than allowed and was stopped. Try again when the service is less busy.', { cause })

/** The path of the first object of a schema that accepts unknown properties; undefined if all are closed. */
function openObject (schema: TSchema, path = 'input'): string | undefined {
  const { type, properties = {}, additionalProperties, items, anyOf = [] } = keywordsOf(schema)
  if (type === 'object' && additionalProperties !== false) return path
  const parts = [
    ...Object.entries(properties).map(([name, part]) => ({ part, partPath: `${path}.${name}` })),
    ...anyOf.map(part => ({ part, partPath: path })),
    ...(items === undefined ? [] : [{ part: items, partPath: `${path}[]` }])
  ]
  for (const { part, partPath } of parts) {
    const open = openObject(part, partPath)
    if (open !== undefined) return open
  }
}
