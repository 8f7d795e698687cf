import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../../../schemas/jsonrpc.js'
import { StrictJsonError, parseJson } from '../../server/strict-json.js'
import { INVALID_REQUEST, PARSE_ERROR, ProtocolError } from './errors.js'

/** One message, told apart by its shape. */
export type Message =
  | { kind: 'request', request: JsonRpcRequest }
  | { kind: 'notification', notification: JsonRpcNotification }
  | { kind: 'response' }
  /** `id` is there where it could be read, so that the error can carry it. */
  | { kind: 'invalid', error: ProtocolError, id?: RequestId }

/** @throws ProtocolError -32700 for invalid JSON, -32600 for JSON that is refused */
export function parseBody (text: string): unknown {
  try {
    return parseJson(text)
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    throw new ProtocolError(cause.isJson ? INVALID_REQUEST : PARSE_ERROR, cause.message)
  }
}

/** Tells what a message is. Source: JSON-RPC 2.0, sections 4 and 5. An `id` of null is wrong in MCP, 0 and "" are ids. */
export function classify (value: unknown): Message {
  if (!isObject(value)) return invalid('A message is a JSON object.')
  const { jsonrpc, id, method, params } = value
  const known = isId(id) ? { id } : {}
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".', known)
  if (id !== undefined && !isId(id)) return invalid('id must be a string or an integer.')
  if (method === undefined && id !== undefined && ('result' in value || 'error' in value)) return { kind: 'response' }
  if (typeof method !== 'string') return invalid('method must be a string.', known)
  if (params !== undefined && !isObject(params)) return invalid('params must be an object.', known)
  const rest = params === undefined ? {} : { params }
  if (id === undefined) return { kind: 'notification', notification: { jsonrpc, method, ...rest } }
  return { kind: 'request', request: { jsonrpc, id, method, ...rest } }
}

const invalid = (message: string, known: { id?: RequestId } = {}): Message =>
  ({ kind: 'invalid', error: new ProtocolError(INVALID_REQUEST, message), ...known })

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isInteger(id)
