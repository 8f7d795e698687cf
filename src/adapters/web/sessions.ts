import '@fastify/cookie'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden } from '../../errors/operation-errors.js'
import { type BrowserSession, authenticateBrowserSession } from '../../accounts/browser-session.js'
import type { ServiceContext } from '../../operations/context.js'

/**
 * The cookie of a browser's session. Over https it has the `__Host-` prefix, which no other host and no plain connection can set
 * (RFC 6265bis, section 4.1.3.2); over http that prefix is not allowed.
 */
function cookieOf (context: ServiceContext): { name: string, options: { httpOnly: true, secure: boolean, sameSite: 'lax', path: '/' } } {
  const secure = context.baseUrl().startsWith('https:')
  return { name: secure ? '__Host-litfeed' : 'litfeed', options: { httpOnly: true, secure, sameSite: 'lax', path: '/' } }
}

/** Who sent a request, by its cookie. Prolongs a cookie that is in use. */
export async function visitorOf (context: ServiceContext, request: FastifyRequest, reply: FastifyReply): Promise<BrowserSession | undefined> {
  const token = request.cookies[cookieOf(context).name]
  if (token === undefined) return undefined
  const session = await authenticateBrowserSession(context, token)
  if (session?.extendedUntil !== undefined) setSession(context, reply, { token, expires: session.extendedUntil })
  return session
}

export function setSession (context: ServiceContext, reply: FastifyReply, { token, expires }: { token: string, expires: Date }): void {
  const { name, options } = cookieOf(context)
  reply.setCookie(name, token, { ...options, expires })
}

export function dropSession (context: ServiceContext, reply: FastifyReply): void {
  const { name, options } = cookieOf(context)
  reply.clearCookie(name, options)
}

/**
 * Refuses forms that another site made somebody send. Everybody's browser says where a form comes from; who is signed in also
 * sends the proof that stood in the form.
 * @throws Forbidden
 */
export function proveForm (context: ServiceContext, request: FastifyRequest, session: BrowserSession | undefined): void {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new Forbidden('This form was sent from another site. Open the page here and submit it again.')
  if (session === undefined) return
  const { proof } = (request.body ?? {}) as { proof?: unknown }
  if (typeof proof !== 'string' || !context.accounts.csrfTokens.matches(session.sessionId, proof)) throw new Forbidden('Your session changed. Reload the page and submit the form again.')
}

const noticeCookie = 'litfeed-notice'

/** A sentence for the page that follows; the page takes it out of the cookie. */
export function leaveNotice (reply: FastifyReply, notice: string): void {
  reply.setCookie(noticeCookie, encodeURIComponent(notice), { httpOnly: true, sameSite: 'lax', path: '/', maxAge: 60, encode: String })
}

export function takeNotice (request: FastifyRequest, reply: FastifyReply): string | undefined {
  const left = request.cookies[noticeCookie]
  if (left === undefined) return undefined
  reply.clearCookie(noticeCookie, { path: '/' })
  return left.slice(0, 500)
}
