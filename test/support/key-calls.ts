import type { LightMyRequestResponse } from 'fastify'
import { tools } from '../../src/adapters/mcp/tools.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { access } from '../security/access-table.js'
import { callTool } from './mcp.js'
import type { TestService } from './service.js'

/** A call that a key can try, with the ids that it names. */
export interface KeyCall {
  name: string
  scope: 'read' | 'act' | undefined
  /** Names of the arguments that name something of the account. */
  idNames: string[]
  send: (key: string, ids: Record<string, string>) => Promise<{ refusal: string | undefined, text: string }>
}

/** Arguments that name something of an account. */
const idNames = new Set(['project_id', 'paper_id', 'ref', 'item', 'id', 'job_id'])

/** Every tool and every route that takes keys, each with arguments that its schema allows. */
export function keyCalls (service: TestService): KeyCall[] {
  const byTool = tools.map(({ operation }): KeyCall => ({
    name: `tool ${operation.name}`,
    scope: operation.scope,
    idNames: Object.keys(operation.input.properties).filter(name => idNames.has(name)),
    async send (key, ids) {
      const own = Object.fromEntries(Object.entries(ids).filter(([name]) => name in operation.input.properties))
      const result = await callTool(service, key, operation.name, {
        ...JSON.parse(/Example: (\{.*\})$/.exec(operation.description)![1]!),
        ...own
      })
      const text: string = result.content[0].text
      return { refusal: result.isError === true ? /^\w+/.exec(text)![0] : undefined, text }
    }
  }))
  const byRoute = routes.filter(route => route.access === 'reader').map(({ method, url, operation }): KeyCall => {
    const row = access[`${method} ${url}`] ?? {}
    const { body, type = 'application/json' } =
      typeof row === 'string' ? { body: undefined } : row as { body?: object | string, type?: string }
    return {
      name: `${method} ${url}`,
      scope: operation.scope,
      idNames: Object.keys(operation.input.properties).filter(name => idNames.has(name)),
      async send (key, ids) {
        const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
        const address = url.replace(/:(\w+)/g, (_, name: string) => ids[name]!)
        const others = Object.fromEntries(Object.entries(ids)
          .filter(([name]) => name in operation.input.properties && !inPath.includes(name)))
        const sent = typeof body === 'string' ? body : { ...body, ...others }
        const headers = { 'x-api-key': key, accept: 'application/json' }
        const answer: LightMyRequestResponse = method === 'GET'
          ? await service.app.inject({ method, url: address, headers, query: sent as Record<string, string> })
          : await service.app.inject({
            method,
            url: address,
            headers: { ...headers, ...(body === undefined ? {} : { 'content-type': type }) },
            ...(body === undefined ? {} : { payload: sent })
          })
        const isError = answer.statusCode >= 400
        return { refusal: isError ? (answer.json() as { code: string }).code : undefined, text: answer.body }
      }
    }
  })
  return [...byTool, ...byRoute]
}
