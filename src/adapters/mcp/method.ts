import type { OperationError } from '../../errors/operation-errors.js'
import type { Context } from '../../operations/context.js'
import type { ToolSet } from './tool-sets.js'

/** One call: the caller's context, and the limits and counters of the service. */
export interface Call {
  context: Context
  /** The same for tools that only read: its statements fail once the client has closed the connection. */
  readContext: Context
  requestId: string
  /** The address parameter `tools`; undefined where it is absent. */
  toolSet: ToolSet | undefined
  /** Converts any error to one that is safe to send; logs the details of internal errors. */
  toPublicError: (error: unknown) => OperationError
  /** Counts a call of a tool. @throws RateLimited */
  countCall: () => Promise<void>
  /** Counts a prompt, a completion or a resource. @throws RateLimited */
  countLookup: () => Promise<void>
  /** Whether the client has closed the connection. */
  isAbandoned: () => boolean
  /** Called when a result exceeds the length of a response; undefined outside of batches. */
  onOversized?: (() => void) | undefined
  countToolCall: (tool: string, outcome: string) => void
}

/** A method of the protocol, from params to result. A frozen result is the same on every call. */
export type Method = (call: Call, params: Record<string, unknown>) => object | Promise<object>
export type Methods = Readonly<Record<string, Method>>

/** Looks at own properties only, so `constructor` is unknown. */
export const findMethod = (methods: Methods, name: string): Method | undefined => Object.hasOwn(methods, name) ? methods[name] : undefined
