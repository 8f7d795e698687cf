import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Forbidden, InvalidArguments, OperationError } from '../../errors/operation-errors.js'
import type { BrowserSession } from '../../accounts/browser-session.js'
import type { ServiceContext } from '../../operations/context.js'
import { toPublicError } from '../../server/errors.js'
import { decodeFields } from './fields.js'
import { renderPage } from './layout.js'
import type { Action, Outcome, Page, Shown, View } from './page.js'
import { dropSession, leaveNotice, proveForm, setSession, takeNotice, visitorOf } from './sessions.js'
import { Refusal } from './pages/refusal.js'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: BrowserSession | undefined
  }
}

/** Bytes that a file in one of a page's forms may have; 0 where no form takes a file. */
export const uploadLimitOf = ({ actions }: Page): number =>
  Math.max(0, ...Object.values(actions).flatMap(({ fields }) => Object.values(fields.properties).map(field => (field as { maxBytes?: number }).maxBytes ?? 0)))

/** One page: GET shows it, POST does what one of its forms says. Who may is settled before a body is read. */
export function addPage (fastify: FastifyInstance, context: ServiceContext, page: Page): void {
  const { url, access, actions } = page
  const queryOf = (request: FastifyRequest) => decodeFields(page.query, { ...request.query as object, ...request.params as object })

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitorOf(context, request, reply)
    request.visitor = visitor
    if (access === 'anyone') return
    if (visitor === undefined) return await reply.redirect(to(context, `/login?next=${encodeURIComponent(request.method === 'GET' ? request.url : request.url.split('?', 1)[0]!)}`), 303)
    await fastify.countCall(visitor.account.id)
    if (access === 'administrator' && !visitor.account.administrator) throw new Forbidden('This page is for administrators only.')
  }

  fastify.get(url, { schema: { hide: true }, onRequest }, async (request, reply) => {
    const view = viewOf(context, request, { notice: takeNotice(request, reply) })
    return await send(context, reply, view, await page.show(callerOf(context, request), queryOf(request), view))
  })

  if (Object.keys(actions).length === 0) return
  const admitFile = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.visitor !== undefined && request.isMultipart()) fastify.admitUpload(request.visitor.account.id, reply)
  }
  fastify.post(url, { schema: { hide: true }, onRequest: uploadLimitOf(page) > 0 ? [onRequest, admitFile] : onRequest }, async (request, reply) => {
    const sent = (request.body ?? {}) as Record<string, unknown>
    proveForm(context, request, request.visitor)
    // A button's action stands behind its form's, and is the one that was meant.
    const name = String([sent.action].flat().at(-1))
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) throw new InvalidArguments('The form is incomplete. Reload the page and try again.')
    const caller = callerOf(context, request)
    const view = viewOf(context, request, {})
    try {
      return await send(context, reply, view, await run(action, caller, { ...decodeFields(action.fields, sent, true), ...request.params as object }, view))
    } catch (cause) {
      const error = toPublicError(cause, request)
      const again = viewOf(context, request, { refused: { action: name, message: error.userMessage }, entered: sent })
      reply.code(error.status)
      if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
      return await send(context, reply, again, await page.show(caller, queryOf(request), again))
    }
  })
}

const run = async (action: Action, caller: object, input: object, view: View): Promise<Outcome> => await action.run(caller, input, view)

/** An error as a page, for whoever asked with a browser. */
export async function sendRefusal (context: ServiceContext, error: OperationError, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const view = viewOf(context, request, {})
  if (error.retryAfter !== undefined) reply.header('retry-after', error.retryAfter)
  return await send(context, reply.code(error.status), view, { title: 'Something went wrong', content: <Refusal error={error} /> })
}

async function send (context: ServiceContext, reply: FastifyReply, view: View, outcome: Outcome | Shown | { to: string }): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store')
  if ('to' in outcome) {
    if ('notice' in outcome && outcome.notice !== undefined) leaveNotice(reply, outcome.notice)
    if ('signIn' in outcome && outcome.signIn !== undefined) setSession(context, reply, outcome.signIn)
    if ('signOut' in outcome) dropSession(context, reply)
    return await reply.redirect(view.to(outcome.to), 303)
  }
  if ('file' in outcome) {
    const { body, type, name } = outcome.file
    return await reply.type(type).header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"`).send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body))
  }
  return await reply.type('text/html; charset=utf-8').send(renderPage(view, 'shown' in outcome ? outcome.shown : outcome))
}

const callerOf = (context: ServiceContext, { visitor, ip, headers }: FastifyRequest) =>
  ({ ...context, address: ip, userAgent: headers['user-agent'] ?? '', ...(visitor === undefined ? {} : { account: visitor.account, sessionId: visitor.sessionId }) })

function viewOf (context: ServiceContext, { visitor, url }: FastifyRequest, { refused, entered = {}, notice }: Partial<Pick<View, 'refused' | 'entered' | 'notice'>>): View {
  return {
    to: path => to(context, path),
    account: visitor?.account,
    proof: visitor === undefined ? '' : context.accounts.csrfTokens.mint(visitor.sessionId),
    url,
    refused,
    entered,
    notice
  }
}

const to = (context: ServiceContext, path: string) => `${new URL(context.baseUrl()).pathname.replace(/\/$/, '')}${path}`
