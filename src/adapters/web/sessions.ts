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

/** What the second part of a form's token is minted for. */
const ownerOf = ({ account }: BrowserSession) => `account ${account.id}`

/** The CSRF token of a session's forms. Its second part says whose they are, also after the session. */
export const formToken = ({ accounts: { csrfTokens } }: ServiceContext, session: BrowserSession): string =>
  `${csrfTokens.mint(session.sessionId)}.${csrfTokens.mint(ownerOf(session))}`

type Sent = Readonly<Record<string, unknown>>

const partsOf = ({ csrf_token: token }: Sent) => typeof token === 'string' ? token.split('.') : []

/** Whether a form is of this session's account, in whichever session it was filled in. */
export const isFormOf = ({ accounts: { csrfTokens } }: ServiceContext, session: BrowserSession, sent: Sent): boolean =>
  csrfTokens.matches(ownerOf(session), partsOf(sent)[1] ?? '')

/**
 * Rejects cross-site requests (CSRF): by `Sec-Fetch-Site` for everyone, and by the form's CSRF token for signed-in users.
 * @returns whether the form is of this session; false: of an earlier one of the account, so it must be sent again
 * @throws Forbidden
 */
export function verifyForm (context: ServiceContext, request: FastifyRequest, session: BrowserSession | undefined, sent: Sent): boolean {
  if (isCrossSite(request)) throw new Forbidden('This form was sent from another site. Open the page here and submit it again.')
  if (session === undefined || context.accounts.csrfTokens.matches(session.sessionId, partsOf(sent)[0] ?? '')) return true
  if (isFormOf(context, session, sent)) return false
  throw new Forbidden('Your session changed. Go back, reload that page and send the form again.')
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
