import type { LightMyRequestResponse } from 'fastify'
import type { TestService } from './service.js'

type App = Pick<TestService, 'app'>

/** Sends one message of the legacy era. */
export const post = async ({ app }: App, key: string | undefined, payload: unknown, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  await app.inject({
    method: 'POST',
    url: '/api/mcp',
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload)
  })

/** The `result` of a legacy call. */
export async function call (service: App, key: string, method: string, params?: object): Promise<any> {
  const response = await post(service, key, { jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
  return response.json()
}

export const callTool = async (service: App, key: string, name: string, args: object = {}): Promise<any> =>
  (await call(service, key, 'tools/call', { name, arguments: args })).result

export const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} }

/** Sends one request of the modern era, with the headers that it must have; `headers` overrides, undefined leaves one out. */
export async function postModern (service: App, key: string, method: string, params: Record<string, unknown> = {}, headers: Record<string, string | undefined> = {}): Promise<LightMyRequestResponse> {
  const all: Record<string, string | undefined> = {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' ? { 'mcp-name': params.name } : {}),
    ...headers
  }
  const sent = Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
  return await post(service, key, { jsonrpc: '2.0', id: 1, method, params: { _meta: modernMeta, ...params } }, sent)
}
