import type { JsonRpcRequest, RequestId } from '../../../schemas/jsonrpc.js'
import { Unavailable } from '../../errors/operation-errors.js'
import type { Era } from './eras/era.js'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, ProtocolError } from './errors.js'
import { type Call, findMethod } from './method.js'

/** The answer to one request: its text, and the HTTP status where it stands alone. */
export interface Answer { status: number, text: string }

/**
 * Runs one request in its era.
 * @throws Unavailable when the database is away: the whole endpoint is, and says so by HTTP
 */
export async function dispatch (era: Era, call: Call, { id, method, params = {} }: JsonRpcRequest): Promise<Answer> {
  const run = findMethod(era.methods, method)
  if (run === undefined) return { status: era.unknownMethodStatus, text: errorText(new ProtocolError(METHOD_NOT_FOUND, `Method ${method.slice(0, 64)} is not served. Served: ${Object.keys(era.methods).join(', ')}.`), id) }
  try {
    return { status: 200, text: resultText(id, era.write(method, await run(call, params))) }
  } catch (error) {
    if (error instanceof ProtocolError) return { status: 200, text: errorText(error, id) }
    const told = call.told(error)
    if (told instanceof Unavailable) throw told
    return { status: 200, text: errorText(new ProtocolError(INTERNAL_ERROR, told.message), id) }
  }
}

const resultText = (id: RequestId, result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** A JSON-RPC error, with the request's id where it could be read. */
export function errorText ({ code, message, data }: ProtocolError, id?: RequestId): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id === undefined ? {} : { id }), error: { code, message, ...(data === undefined ? {} : { data }) } })
}
