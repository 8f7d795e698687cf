import type { JsonRpcRequest, RequestId } from '../../../schemas/jsonrpc.js'
import { Unavailable } from '../../errors/operation-errors.js'
import { clientOf } from './client-info.js'
import type { Era } from './eras/era.js'
import { INTERNAL_ERROR, METHOD_NOT_FOUND, ProtocolError } from './errors.js'
import { type Call, findMethod } from './method.js'

/** The response to one request: its text, and the HTTP status if it is not part of a batch. */
export interface Answer { status: number, text: string }

/**
 * Runs one request in its era.
 * @throws Unavailable if the database is unreachable, because the whole endpoint then answers 503
 */
export async function dispatch (era: Era, call: Call, { id, method, params = {} }: JsonRpcRequest): Promise<Answer> {
  const run = findMethod(era.methods, method)
  if (run === undefined) {
    return {
      status: era.unknownMethodStatus,
      text: errorText(
        new ProtocolError(METHOD_NOT_FOUND, `Method ${method.slice(0, 64)} is unknown. Methods: ${Object.keys(era.methods).join(', ')}.`),
        id
      )
    }
  }
  try {
    await recordClient(call, params)
    return { status: 200, text: resultText(id, era.write(method, await run(call, params))) }
  } catch (error) {
    if (error instanceof ProtocolError) return { status: 200, text: errorText(error, id) }
    const publicError = call.toPublicError(error)
    if (publicError instanceof Unavailable) throw publicError
    return { status: 200, text: errorText(new ProtocolError(INTERNAL_ERROR, publicError.message), id) }
  }
}

/** Remembers which client uses the key, for its owner. */
async function recordClient ({ context: { accounts, account, key } }: Call, params: Record<string, unknown>): Promise<void> {
  const client = clientOf(params)
  if (client !== undefined && key !== undefined) await accounts.keys.recordClient({ accountId: account.id, key }, client)
}

const resultText = (id: RequestId, result: string) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

/** Serializes a JSON-RPC error, with the request's id if it is known. */
export function errorText ({ code, message, data }: ProtocolError, id?: RequestId): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    ...(id === undefined ? {} : { id }),
    error: { code, message, ...(data === undefined ? {} : { data }) }
  })
}
