import type { LightMyRequestResponse } from 'fastify'
import type { TestService } from './service.js'

type App = Pick<TestService, 'app'>

/**
 * Posts one message to the MCP endpoint without modern headers.
 * @param payload a string is sent unchanged
 * @param query of the endpoint's address, with "?"
 */
export const post = async (
  { app }: App,
  key: string | undefined,
  payload: unknown,
  headers: Record<string, string> = {},
  query = ''
): Promise<LightMyRequestResponse> =>
  await app.inject({
    method: 'POST',
    url: `/api/mcp${query}`,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
  })

/** Sends one request of the legacy era. @returns the JSON-RPC response */
export async function call (service: App, key: string, method: string, params?: object, query = ''): Promise<any> {
  const response = await post(service, key, { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) }, {}, query)
  return response.json()
}

/** Calls a tool in the legacy era. @returns the tool result */
export const callTool = async (service: App, key: string, name: string, args: object = {}): Promise<any> =>
  (await call(service, key, 'tools/call', { name, arguments: args })).result

/** The `_meta` that every request of the modern era needs. */
export const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }

/** Sends one request of the modern era with its required headers. @param headers override them; undefined omits one */
export async function postModern (
  service: App,
  key: string,
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
  query = ''
): Promise<LightMyRequestResponse> {
  const all: Record<string, string | undefined> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    ...headers
  }
  const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  return await post(service, key, { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta, ...params } }, sent, query)
}
