import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type BrowserSession, authenticateBrowserSession } from '../accounts/browser-session.js'
import { browserTokens } from '../accounts/session-tokens.js'
import type { ServiceContext } from '../operations/context.js'
import { networkOf } from './client-network.js'
import { isFromOwnAddress } from './hosts.js'

/**
 * The session cookie. Over https it has the `__Host-` prefix, which other hosts and plain connections cannot set (RFC 6265bis, section
 * 4.1.3.2). Over http that prefix is not allowed.
 */
export function sessionCookie ({ baseUrl }: Pick<ServiceContext, 'baseUrl'>): {
  name: string
  options: { httpOnly: true, secure: boolean, sameSite: 'lax', path: '/' }
} {
  const secure = baseUrl().startsWith('https:')
  return { name: secure ? '__Host-litfeed' : 'litfeed', options: { httpOnly: true, secure, sameSite: 'lax', path: '/' } }
}

/** Hashes of tokens whose sessions were found. Their requests do not wait among those of unknown callers. */
const known = new LRUCache<string, true>({ max: 10_000 })

/** Returns the browser session of a request's cookie, and extends the cookie if the session was extended. */
export async function authenticateVisitor (
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<BrowserSession | undefined> {
  const token = request.cookies[sessionCookie(context).name]
  if (token === undefined) return undefined
  const hash = browserTokens.read(token)?.hash.toString('base64')
  if (hash === undefined) return undefined
  const db = known.has(hash) ? context.db : context.dbForNetwork(networkOf(request))
  const session = await authenticateBrowserSession({ ...context, db }, token)
  if (session === undefined) known.delete(hash)
  else known.set(hash, true)
  if (session?.extendedUntil !== undefined) setSession(context, reply, { token, expires: session.extendedUntil })
  return session
}

/** Sets the session cookie. */
export function setSession (context: ServiceContext, reply: FastifyReply, { token, expires }: { token: string, expires: Date }): void {
  const { name, options } = sessionCookie(context)
  reply.setCookie(name, token, { ...options, expires })
}

/** Clears the session cookie. */
export function dropSession (context: ServiceContext, reply: FastifyReply): void {
  const { name, options } = sessionCookie(context)
  reply.clearCookie(name, options)
}

/** Whether a browser says that another site sent a request (Fetch Metadata). */
export function isCrossSite ({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site']
  return site !== undefined && site !== 'same-origin' && site !== 'none'
}

/**
 * Whether a page of the service may have sent a request. Browsers without Fetch Metadata, which they omit over plain HTTP, name the origin
 * of what could change something, and clients without either have no cookies that a page could use. server/origins.ts has rejected
 * addresses where BASE_URL is set.
 */
export const isOfOwnPage = (context: ServiceContext, request: FastifyRequest): boolean => {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (site !== undefined) return !isCrossSite(request)
  return origin === undefined || origin === new URL(context.baseUrl()).origin || isFromOwnAddress(request)
}
