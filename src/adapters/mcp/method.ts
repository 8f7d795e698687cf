import type { OperationError } from '../../errors/operation-errors.js'
import type { Context } from '../../operations/context.js'

/** What a method may touch besides the caller's context: the limits and counters of the service. */
export interface Call {
  context: Context
  requestId: string
  /** Any error as one that the caller may be told; what must not be told is logged. */
  told: (error: unknown) => OperationError
  /** @throws RateLimited */
  countCall: () => Promise<void>
  countToolCall: (tool: string, outcome: string) => void
}

/** A method of the protocol: what it is asked, and what it answers. A frozen result is the same on every call. */
export type Method = (call: Call, params: Record<string, unknown>) => object | Promise<object>
export type Methods = Readonly<Record<string, Method>>

/** Own properties alone: `constructor` is no method. */
export const findMethod = (methods: Methods, name: string): Method | undefined => Object.hasOwn(methods, name) ? methods[name] : undefined
