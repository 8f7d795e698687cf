import type { JsonRpcRequest } from '../../../schemas/jsonrpc.js'
import { clientOf } from './client-info.js'
import type { Era } from './eras/era.js'
import { METHOD_NOT_FOUND, methodResult, ProtocolError } from './errors.js'
import { joined, type JsonParts } from '../../server/json-parts.js'
import { type Call, findMethod, type Method } from './method.js'

/**
 * Runs one request in its era. @returns the JSON-RPC response
 * @throws ProtocolError, and whatever the method throws
 */
export async function dispatch (era: Era, call: Call, { id, method, params = {} }: JsonRpcRequest): Promise<JsonParts> {
  const run = findMethod(era.methods, method)
  if (run === undefined) {
    throw new ProtocolError(
      METHOD_NOT_FOUND,
      `Method ${method.slice(0, 64)} is unknown. Methods: ${Object.keys(era.methods).join(', ')}.`,
      { status: era.unknownMethodStatus }
    )
  }
  await recordClient(call, params)
  const result = await resultOf(run, method, call, params)
  return joined(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`, era.write(method, result), '}')
}

/** Remembers which client uses the key, for its owner. */
async function recordClient ({ context: { accounts, account, key } }: Call, params: Record<string, unknown>): Promise<void> {
  const client = clientOf(params)
  if (client !== undefined && key !== undefined) await accounts.keys.recordClient({ accountId: account.id, key }, client)
}

async function resultOf (run: Method, method: string, call: Call, params: Record<string, unknown>): Promise<object> {
  try {
    return await run(call, params)
  } catch (thrown) {
    return methodResult(method, thrown, call.toPublicError)
  }
}
