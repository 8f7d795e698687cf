import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { maxDeviceTokenLength } from '../../../schemas/account.js'
import { Forbidden } from '../../errors/operation-errors.js'
import type { BrowserSession } from '../../accounts/browser-session.js'
import { deviceLifetimeMs } from '../../accounts/device-tokens.js'
import type { ServiceContext } from '../../operations/context.js'
import { isCrossSite, sessionCookie } from '../../server/browser-sessions.js'

/** Cookie of the device token. It outlives sessions, since it counts at the next login. */
function deviceCookieOf (context: ServiceContext) {
  const { name, options } = sessionCookie(context)
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

/**
 * Rejects cross-site requests (CSRF): by `Sec-Fetch-Site` for everyone, and by the form's CSRF token for signed-in users.
 * @throws Forbidden
 */
export function verifyForm (context: ServiceContext, request: FastifyRequest, session: BrowserSession | undefined): void {
  if (isCrossSite(request)) throw new Forbidden('This form was sent from another site. Open the page here and submit it again.')
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
