import { subscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** Patterns of secrets, as sent and as stored. */
const patterns = {
  'an MCP key': /svcmcp_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}/,
  'a feed token': /svcft_[0-9A-Za-z]{20,}/,
  'a refresh token': /svcrt_[0-9a-f-]{36}_[0-9A-Za-z]{32}/,
  'a password token': /svcpr_[0-9A-Za-z]{32}/,
  'an unsubscribe token': /svcun_[0-9a-f-]{36}_[0-9a-f]{32}/,
  'an access token': /eyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/,
  'a webhook\'s secret': /whsec_[0-9A-Za-z+/]{20,}/,
  'a share token': /svcsh_[0-9A-Za-z]{32}/,
  'an invitation token': /svcin_[0-9A-Za-z]{32}/,
  'a hash of a secret': /\$argon2/,
  'a password': /correct horse battery|correct%20horse/
}
type SecretKind = keyof typeof patterns

/** Responses that issue a secret to its owner. Any other response with a secret fails its test. */
const issued: Readonly<Record<string, readonly SecretKind[]>> = {
  'POST /api/auth/login': ['an access token', 'a refresh token'],
  'POST /api/auth/refresh': ['an access token', 'a refresh token'],
  'POST /api/auth/mcp-key/rotate': ['an MCP key'],
  'POST /api/auth/feed-token/rotate': ['a feed token'],
  'POST /api/keys': ['an MCP key'],
  'POST /api/keys/:key_id/rotate': ['an MCP key'],
  'GET /api/projects/:project_id/atom-url': ['a feed token'],
  'GET /api/feed/atom/:project_id': ['a feed token'],
  'GET /reset-password': ['a password token'],
  'POST /reset-password': ['a password token'],
  'GET /unsubscribe/:token': ['an unsubscribe token'],
  'POST /unsubscribe/:token': ['an unsubscribe token'],
  'GET /connect': ['a feed token'],
  'POST /connect': ['a feed token', 'an MCP key'],
  'GET /projects/:project_id/settings': ['a feed token'],
  'POST /projects/:project_id/settings': ['a feed token'],
  'POST /api/projects/:project_id/share-links': ['a share token'],
  'POST /projects/:project_id/sharing': ['a share token'],
  'GET /shared': ['a share token'],
  'POST /api/administration/invitations': ['an invitation token'],
  'POST /administration/users': ['an invitation token'],
  'GET /sign-up': ['an invitation token'],
  'POST /sign-up': ['an invitation token'],
  'GET /api/shared/atom': ['a share token'],
  'POST /api/mcp': ['a feed token'],
  'POST /api/mcp/': ['a feed token'],
  'POST /api/projects/:project_id/alerts': ['a webhook\'s secret'],
  'GET /api/alerts/:alert_id': ['a webhook\'s secret'],
  'GET /projects/:project_id/alerts': ['a webhook\'s secret'],
  'POST /projects/:project_id/alerts': ['a webhook\'s secret']
}

/** The kinds of secrets in a text, except the allowed ones. */
export const secretsIn = (text: string, allowed: readonly SecretKind[] = []): SecretKind[] =>
  (Object.keys(patterns) as SecretKind[]).filter(kind => !allowed.includes(kind) && patterns[kind].test(text))

const leaksByApp = new WeakMap<FastifyInstance, string[]>()

// Every application that a test builds announces itself before its first plugin, so the hook sees every response.
subscribe('fastify.initialization', message => {
  const { fastify } = message as { fastify: FastifyInstance }
  const leaks: string[] = []
  leaksByApp.set(fastify, leaks)
  fastify.addHook('onSend', async (request, _reply, payload) => {
    const route = `${request.method} ${request.routeOptions.url}`
    const text = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.toString() : ''
    for (const kind of secretsIn(text, issued[route])) {
      leaks.push(`The response of ${route} contains ${kind}. If the route issues it, add a row to "issued" in test/support/leaks.ts.`)
    }
  })
})

/** Messages about secrets in an application's responses and log lines. */
export function leaksOf (app: FastifyInstance, logged: readonly string[]): string[] {
  const lines = logged.flatMap(line => secretsIn(line).map(kind => `The log contains ${kind}: ${line.slice(0, 300)}`))
  return [...new Set([...leaksByApp.get(app) ?? [], ...lines])]
}
