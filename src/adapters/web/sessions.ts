import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxDeviceTokenLength } from '../../../schemas/account.js'
import { Forbidden } from '../../errors/operation-errors.js'
import { type BrowserSession, authenticateBrowserSession } from '../../accounts/browser-session.js'
import { deviceLifetimeMs } from '../../accounts/device-tokens.js'
import type { ServiceContext } from '../../operations/context.js'

/**
 * The session cookie. Over https it has the `__Host-` prefix, which other hosts and plain connections cannot set (RFC 6265bis, section
 * 4.1.3.2). Over http that prefix is not allowed.
 */
function cookieOf (context: ServiceContext): { name: string, options: { httpOnly: true, secure: boolean, sameSite: 'lax', path: '/' } } {
  const secure = context.baseUrl().startsWith('https:')
  return { name: secure ? '__Host-litfeed' : 'litfeed', options: { httpOnly: true, secure, sameSite: 'lax', path: '/' } }
}

/** Returns the browser session of a request's cookie, and extends the cookie if the session was extended. */
export async function visitorOf (
  context: ServiceContext,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<BrowserSession | undefined> {
  const token = request.cookies[cookieOf(context).name]
  if (token === undefined) return undefined
  const session = await authenticateBrowserSession(context, token)
  if (session?.extendedUntil !== undefined) setSession(context, reply, { token, expires: session.extendedUntil })
  return session
}

/** Sets the session cookie. */
export function setSession (context: ServiceContext, reply: FastifyReply, { token, expires }: { token: string, expires: Date }): void {
  const { name, options } = cookieOf(context)
  reply.setCookie(name, token, { ...options, expires })
}

/** Cookie of the device token. It outlives sessions, since it counts at the next login. */
function deviceCookieOf (context: ServiceContext) {
  const { name, options } = cookieOf(context)
  return { name: `${name}-device`, options }
}

/** The browser's device token, if it has one. */
export const deviceOf = (context: ServiceContext, request: FastifyRequest): string | undefined =>
  request.cookies[deviceCookieOf(context).name]?.slice(0, maxDeviceTokenLength)

/** Remembers that the account has signed in on this device. */
export function setDevice (context: ServiceContext, reply: FastifyReply, device: string): void {
  const { name, options } = deviceCookieOf(context)
  reply.setCookie(name, device, { ...options, maxAge: deviceLifetimeMs / 1000 })
}

/** Clears the session cookie. */
export function dropSession (context: ServiceContext, reply: FastifyReply): void {
  const { name, options } = cookieOf(context)
  reply.clearCookie(name, options)
}

/**
 * Rejects cross-site requests (CSRF): by `Sec-Fetch-Site` for everyone, and by the form's CSRF token for signed-in users.
 * @throws Forbidden
 */
export function verifyForm (context: ServiceContext, request: FastifyRequest, session: BrowserSession | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    throw new Forbidden('This form was sent from another site. Open the page here and submit it again.')
  }
  if (session === undefined) return
  const { csrf_token: token } = (request.body ?? {}) as { csrf_token?: unknown }
  if (typeof token !== 'string' || !context.accounts.csrfTokens.matches(session.sessionId, token)) {
    throw new Forbidden('Your session changed. Reload the page and submit the form again.')
  }
}

const noticeCookie = 'litfeed-notice'

/** Stores a notice for the next page in a cookie. */
export function setNotice (reply: FastifyReply, notice: string): void {
  reply.setCookie(noticeCookie, encodeURIComponent(notice), { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 60, encode: String })
}

/** Returns the stored notice and clears its cookie. */
export function consumeNotice (request: FastifyRequest, reply: FastifyReply): string | undefined {
  const notice = request.cookies[noticeCookie]
  if (notice === undefined) return undefined
  reply.clearCookie(noticeCookie, { path: '/' })
  return notice.slice(0, 500)
}
