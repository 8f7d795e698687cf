import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** What secrets look like, as they are sent and as they are stored. */
const forms = {
  'an MCP key': /svcmcp_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}/,
  'a feed token': /svcft_[0-9A-Za-z]{20,}/,
  'a refresh token': /svcrt_[0-9a-f-]{36}_[0-9A-Za-z]{32}/,
  'an access token': /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/,
  'a webhook\'s secret': /whsec_[0-9A-Za-z+/]{20,}/,
  'a hash of a secret': /\$argon2/,
  'a password': /correct horse battery|correct%20horse/
}
type Form = keyof typeof forms

/** The answers that exist to give a secret to its owner. Every other answer that holds one fails the test it was given in. */
const given: Readonly<Record<string, readonly Form[]>> = {
  'POST /api/auth/login': ['an access token', 'a refresh token'],
  'POST /api/auth/refresh': ['an access token', 'a refresh token'],
  'POST /api/auth/mcp-key/rotate': ['an MCP key'],
  'POST /api/auth/feed-token/rotate': ['a feed token'],
  'GET /api/projects/:project_id/atom-url': ['a feed token'],
  'GET /api/feed/atom/:project_id': ['a feed token'],
  'GET /connect': ['a feed token'],
  'POST /connect': ['a feed token', 'an MCP key'],
  'GET /projects/:project_id/settings': ['a feed token'],
  'POST /projects/:project_id/settings': ['a feed token'],
  'POST /api/mcp': ['a feed token'],
  'POST /api/mcp/': ['a feed token'],
  'POST /api/projects/:project_id/alerts': ['a webhook\'s secret'],
  'GET /api/alerts/:alert_id': ['a webhook\'s secret'],
  'GET /projects/:project_id/alerts': ['a webhook\'s secret'],
  'POST /projects/:project_id/alerts': ['a webhook\'s secret']
}

/** The forms of secrets in a text, besides those that may be there. */
export const secretsIn = (text: string, allowed: readonly Form[] = []): Form[] =>
  (Object.keys(forms) as Form[]).filter(form => !allowed.includes(form) && forms[form].test(text))

const answered = new WeakMap<FastifyInstance, string[]>()

// Every application that a test builds tells of itself before its first plugin, so that no answer passes by.
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  const leaks: string[] = []
  answered.set(fastify, leaks)
  fastify.addHook('onSend', async (request, _reply, payload) => {
    const route = `${request.method} ${request.routeOptions.url}`
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.toString() : ''
    for (const form of secretsIn(text, given[route])) leaks.push(`The answer to ${route} holds ${form}. If it exists to give that, add a row to "given" in test/support/leaks.ts.`)
  })
})

/** What of an application's answers and of its log should be in neither. */
export function leaksOf (app: FastifyInstance, logged: readonly string[]): string[] {
  const lines = logged.flatMap(line => secretsIn(line).map(form => `The log holds ${form}: ${line.slice(0, 300)}`))
  return [...new Set([...answered.get(app) ?? [], ...lines])]
}
