import { isObject } from '../../../schemas/json-object.js'
import type { JsonRpcNotification, JsonRpcRequest, RequestId } from '../../../schemas/jsonrpc.js'
import { StrictJsonError, decodeJson, parseJson } from '../../server/strict-json.js'
import { INVALID_REQUEST, PARSE_ERROR, ProtocolError } from './errors.js'

/** A message, classified by its shape. */
export type Message =
  | { kind: 'request', request: JsonRpcRequest }
  | { kind: 'notification', notification: JsonRpcNotification }
  | { kind: 'response' }
  /** `id` is present if it is readable; the error response repeats it. */
  | { kind: 'invalid', error: ProtocolError, id?: RequestId }

/** @throws ProtocolError -32700 if the body is not UTF-8 */
export const decodeBody = (body: Uint8Array): string => toProtocol(() => decodeJson(body))

/** @throws ProtocolError -32700 for invalid JSON, -32600 for JSON that is rejected */
export const parseBody = (text: string, maxMembers: number): unknown => toProtocol(() => parseJson(text, maxMembers))

/** @throws ProtocolError in place of a StrictJsonError */
function toProtocol<T> (read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause
    throw new ProtocolError(cause.isJson ? INVALID_REQUEST : PARSE_ERROR, cause.message)
  }
}

/** Classifies a message. Source: JSON-RPC 2.0, sections 4 and 5. MCP forbids an `id` of null; 0 and "" are valid. */
export function classify (value: unknown): Message {
  if (!isObject(value)) return invalid('A message must be a JSON object.')
  const { jsonrpc, id, method, params } = value
  const readableId = isId(id) ? { id } : {}
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".', readableId)
  // A client that could not read the id of a request answers with an id of null, or with none.
  const isResponse = isId(id) ? 'result' in value || 'error' in value : (id === null || id === undefined) && isObject(value.error)
  if (method === undefined && isResponse) return { kind: 'response' }
  if (id !== undefined && !isId(id)) return invalid('id must be a string or an integer.')
  if (typeof method !== 'string') return invalid('method must be a string.', readableId)
  if (params !== undefined && !isObject(params)) return invalid('params must be an object.', readableId)
  const optionalParams = params === undefined ? {} : { params }
  if (id === undefined) return { kind: 'notification', notification: { jsonrpc, method, ...optionalParams } }
  return { kind: 'request', request: { jsonrpc, id, method, ...optionalParams } }
}

const invalid = (message: string, readableId: { id?: RequestId } = {}): Message =>
  ({ kind: 'invalid', error: new ProtocolError(INVALID_REQUEST, message), ...readableId })

/** JavaScript cannot send a larger integer back as it was. */
const isId = (id: unknown): id is RequestId => typeof id === 'string' || Number.isSafeInteger(id)
