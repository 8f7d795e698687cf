import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireAdministrator } from '../../accounts/authenticate.js'
import { isKey } from '../../accounts/keys.js'
import { parseUserAgent } from '../../accounts/user-agent.js'
import { Unauthorized } from '../../errors/operation-errors.js'
import type { AnonymousContext, Context, ServiceContext } from '../../operations/context.js'
import { anonymousCaller, credentialOf } from '../../server/authentication.js'
import type { Access } from './route.js'

/** Identifies the caller of a request, and counts the call. @throws Unauthorized, Forbidden, RateLimited */
type Authenticate = (
  fastify: FastifyInstance,
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply
) => Promise<Context | AnonymousContext>

/** What is wrong with the access token of a request; empty if it has none. */
const tokenProblem = ({ headers: { authorization = '' } }: FastifyRequest): string => /^Bearer +(?!svcmcp_)\S/i.test(authorization)
  ? 'The access token is not valid: it may have expired, or its session may have ended. POST /api/auth/refresh returns a new one. '
  : ''
const keyProblem = 'The key is not valid: it may have been replaced or revoked, or have expired. '

const accessToken = 'the access token of POST /api/auth/login as "Authorization: Bearer …"'

/** How the caller of a route authenticates, by who may call it. */
export const callers: Record<Access, Authenticate> = {
  anyone: async (_fastify, context, request) => anonymousCaller(context, request),

  session: sessionCaller,

  async browser (fastify, context, request, reply) {
    // What is sent with a cookie counts instead of it.
    if (credentialOf(request) !== undefined) return await sessionCaller(fastify, context, request)
    const caller = await fastify.authenticateBrowser(request, reply)
    if (caller === undefined) {
      throw new Unauthorized(
        `Sign in to the pages of this service in the same browser, or send ${accessToken}. An MCP key is not accepted here.`
      )
    }
    await fastify.countCall(caller)
    return caller
  },

  async administrator (fastify, context, request) {
    const caller = await sessionCaller(fastify, context, request)
    await requireAdministrator(caller)
    return caller
  },

  async reader (fastify, context, request) {
    const byKey = isKey(credentialOf(request) ?? '')
    const caller = byKey ? await fastify.authenticateKey(request) : await fastify.authenticateSession(request)
    if (caller === undefined) {
      const problem = byKey ? keyProblem : tokenProblem(request)
      throw new Unauthorized(`${problem}Send ${accessToken}, or your MCP key as "Authorization: Bearer svcmcp_…" or "X-API-Key".`)
    }
    await fastify.countCall(caller)
    const program = parseUserAgent(request.headers['user-agent'])
    if (caller.key !== undefined && program !== undefined) {
      await context.accounts.keys.recordClient({ accountId: caller.account.id, key: caller.key }, program)
    }
    return caller
  }
}

async function sessionCaller (fastify: FastifyInstance, _context: ServiceContext, request: FastifyRequest): Promise<Context> {
  const caller = await fastify.authenticateSession(request)
  if (caller === undefined) {
    throw new Unauthorized(`${tokenProblem(request)}Send ${accessToken}. An MCP key is not accepted here.`)
  }
  await fastify.countCall(caller)
  return caller
}
