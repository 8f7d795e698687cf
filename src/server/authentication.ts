import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { authenticateSession } from '../accounts/authenticate.js'
import { isKey } from '../accounts/keys.js'
import { Forbidden } from '../errors/operation-errors.js'
import type { AnonymousContext, Context, ServiceContext } from '../operations/context.js'
import { isOfOwnPage, authenticateVisitor } from './browser-sessions.js'
import { networkOf } from './client-network.js'
import { isLocalRequest } from './hosts.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** Resolves to the caller of an MCP key, or undefined if the key is missing or invalid. */
    authenticateKey: (request: FastifyRequest) => Promise<Context | undefined>
    /** Resolves to the caller of an access token, or undefined if the token is missing or invalid. */
    authenticateSession: (request: FastifyRequest) => Promise<Context | undefined>
    /** Resolves to the caller of a browser's session, or undefined without one. @throws Forbidden if another site sent the request */
    authenticateBrowser: (request: FastifyRequest, reply: FastifyReply) => Promise<Context | undefined>
  }
}

/** Authenticates requests. MCP keys come from the Authorization header, else X-API-Key, else `?key=`. */
export default fp<{ context: ServiceContext }>(async function authentication (fastify, { context }) {
  fastify.decorate('authenticateKey', async (request: FastifyRequest) => {
    const credential = credentialOf(request)
    if (credential === undefined) return undefined
    const caller = await context.accounts.keys.verify(credential, context.dbForNetwork(networkOf(request)))
    return caller === undefined ? undefined : { ...callerContext(context, request, caller.accountId), key: caller.key }
  })
  fastify.decorate('authenticateSession', async (request: FastifyRequest) => {
    const token = bearerOf(request)
    if (token === undefined) return undefined
    const caller = await authenticateSession(context, token)
    return caller === undefined ? undefined : { ...callerContext(context, request, caller.accountId), sessionId: caller.sessionId }
  })
  fastify.decorate('authenticateBrowser', async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await authenticateVisitor(context, request, reply)
    if (visitor === undefined) return undefined
    if (!isOfOwnPage(context, request)) throw new Forbidden('Another site sent this request. Send an access token instead of a cookie.')
    return { ...callerContext(context, request, visitor.account.id), sessionId: visitor.sessionId }
  })
}, { name: 'authentication', fastify: '5.x' })

/** The context of an operation that anyone may call, and that of an account's before it is authenticated. */
export const anonymousCaller = (context: ServiceContext, request: FastifyRequest): AnonymousContext => ({
  ...context,
  ...requestContext(request),
  db: context.dbForNetwork(networkOf(request)),
  address: networkOf(request),
  isLocal: isLocalRequest(request),
  userAgent: request.headers['user-agent']
})

const callerContext = (context: ServiceContext, request: FastifyRequest, accountId: string): Context =>
  ({ ...context, ...requestContext(request), db: context.dbFor(accountId), account: { id: accountId } })

/** The logger and the trace of a request. */
const requestContext = ({ log, trace }: FastifyRequest) => ({ log, trace })

/** Returns the key of a request from the first place that has one: a gateway may add a token of its own. Without one, any credential. */
export function credentialOf (request: FastifyRequest): string | undefined {
  const header = request.headers['x-api-key']
  const { key } = request.query as { key?: unknown }
  // A client whose form was left blank sends an empty header.
  const stated = typeof header === 'string' && header.trim() !== '' ? header.trim() : undefined
  const credentials = [bearerOf(request), stated, typeof key === 'string' ? key : undefined].filter(each => each !== undefined)
  return credentials.find(isKey) ?? credentials[0]
}

function bearerOf ({ headers: { authorization } }: FastifyRequest): string | undefined {
  return authorization === undefined ? undefined : /^Bearer +([^\s]+)\s*$/i.exec(authorization)?.[1]
}
