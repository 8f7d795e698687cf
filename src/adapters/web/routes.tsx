import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { keywordsOf } from '../../../schemas/keywords.js'
import { Forbidden, InvalidArguments, OperationError } from '../../errors/operation-errors.js'
import type { BrowserSession } from '../../accounts/browser-session.js'
import type { ServiceContext } from '../../operations/context.js'
import { anonymousCaller } from '../../server/authentication.js'
import { dropSession, setSession, visitorOf } from '../../server/browser-sessions.js'
import { networkOf } from '../../server/client-network.js'
import { errorOfRequest, withRetryAfter } from '../../server/errors.js'
import { decodeFields, decodeQuery } from './fields.js'
import { renderPage } from './layout.js'
import type { Action, ActionResult, Page, PageContent, View } from './page.js'
import { refusedForm } from './refused-form.js'
import { deviceOf, setNotice, setDevice, consumeNotice, verifyForm } from './sessions.js'
import { ErrorPage, errorTitle } from './pages/error-page.js'

declare module 'fastify' {
  interface FastifyRequest {
    visitor: BrowserSession | undefined
  }
}

/** Bytes of a form without a file that anyone may send. */
const maxPublicFormBytes = 16 * 1024
/** Bytes of a form without a file that an account may send: a long note, or 200 keywords in Chinese, which take nine bytes a letter. */
const maxFormBytes = 1024 * 1024

/** Maximum size of an uploaded file in bytes, over all forms of a page; 0 for pages without uploads. */
export function uploadLimitOf ({ actions }: Page): number {
  const fields = Object.values(actions).flatMap(action => Object.values(action.fields.properties))
  return Math.max(0, ...fields.map(field => keywordsOf(field).maxBytes ?? 0))
}

/** Adds the routes of a page: GET shows it, POST runs an action. Access is checked before the body is read. */
export function addPage (fastify: FastifyInstance, context: ServiceContext, page: Page): void {
  const { url, access, actions } = page
  const queryOf = (request: FastifyRequest) => decodeQuery(page.query, { ...request.query as object, ...request.params as object })

  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    const visitor = await visitorOf(context, request, reply)
    request.visitor = visitor
    if (page.isShared === true) {
      await fastify.countReader(networkOf(request))
      await fastify.admitRequest(`shared ${networkOf(request)}`, request, reply)
      reply.header('x-robots-tag', 'noindex')
    }
    if (access === 'anyone') return
    if (visitor === undefined) {
      const next = request.method === 'GET' ? request.url : request.url.split('?', 1)[0]!
      return await reply.redirect(to(context, `/login?next=${encodeURIComponent(next)}`), 303)
    }
    await fastify.countCall(visitor)
    await fastify.admitRequest(visitor.account.id, request, reply)
    if (access === 'administrator' && !visitor.account.administrator) {
      throw new Forbidden('This page is for administrators only. Ask one of them.')
    }
  }

  fastify.get(url, { schema: { hide: true }, onRequest }, async (request, reply) => {
    const view = viewOf(context, request, { notice: consumeNotice(request, reply) })
    return await send(context, reply, view, await show(page, callerOf(context, request), queryOf(request), view))
  })

  if (Object.keys(actions).length === 0) return
  const admitUpload = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.visitor !== undefined && request.isMultipart()) fastify.admitUpload(request.visitor.account.id, reply)
  }
  const hooks = uploadLimitOf(page) > 0 ? [onRequest, admitUpload] : onRequest
  const bodyLimit = access === 'anyone' ? maxPublicFormBytes : maxFormBytes
  fastify.post(url, { schema: { hide: true }, bodyLimit, onRequest: hooks }, async (request, reply) => {
    const sent = (request.body ?? {}) as Record<string, unknown>
    verifyForm(context, request, request.visitor)
    // A button's action follows the form's hidden one and takes precedence.
    const name = String([sent.action].flat().at(-1) ?? page.oneClick)
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined
    if (action === undefined) throw new InvalidArguments('The form is incomplete. Reload the page and try again.')
    const caller = callerOf(context, request)
    const view = viewOf(context, request, {})
    const fields = decodeFields(action.fields, sent)
    try {
      return await send(context, reply, view, await run(action, caller, { ...fields, ...request.params as object }, view))
    } catch (cause) {
      const error = errorOfRequest(cause, request)
      const refused = refusedForm(name, error, argument => action.fieldOf?.(argument, fields as never) ?? argument)
      const again = viewOf(context, request, { refused, entered: sent })
      withRetryAfter(reply, error).code(error.status)
      return await send(context, reply, again, await show(page, caller, queryOf(request), again))
    }
  })
}

// A table of pages does not know the types of their queries and fields; the gates of their operations check the values.
const show = async (page: Page, caller: object, query: object, view: View): Promise<Awaited<ReturnType<Page['show']>>> =>
  await page.show(caller as never, query as never, view)
const run = async (action: Action, caller: object, input: object, view: View): Promise<ActionResult> =>
  await action.run(caller as never, input as never, view)

/** Sends an error as a page. */
export async function sendErrorPage (
  context: ServiceContext,
  error: OperationError,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<FastifyReply> {
  const view = viewOf(context, request, {})
  return await send(context, withRetryAfter(reply, error).code(error.status), view, {
    title: errorTitle(error),
    isVisitorUnknown: request.visitor === undefined,
    content: <ErrorPage error={error} message={messageOf(error)} />
  })
}

/** A page's arguments come from its address, so their names mean nothing to its reader. */
const messageOf = (error: OperationError): string =>
  error instanceof InvalidArguments && error.invalid !== undefined
    ? 'This address is incomplete or has a typo. Open the page again from your projects.'
    : error.userMessage

async function send (
  context: ServiceContext,
  reply: FastifyReply,
  view: View,
  result: ActionResult | PageContent | { to: string }
): Promise<FastifyReply> {
  if ('to' in result) {
    if ('notice' in result && result.notice !== undefined) setNotice(reply, result.notice)
    if ('signIn' in result && result.signIn !== undefined) {
      setSession(context, reply, result.signIn)
      setDevice(context, reply, result.signIn.device)
    }
    if ('signOut' in result) dropSession(context, reply)
    return await reply.redirect(view.to(result.to), 303)
  }
  if ('data' in result) return await reply.send(result.data)
  if ('file' in result) {
    const { body, type, name } = result.file
    reply.type(type).header('content-disposition', `attachment; filename="${name.replace(/[^\w.-]+/g, '-')}"`)
    return await reply.send(typeof body === 'string' || Buffer.isBuffer(body) ? body : Readable.from(body))
  }
  return await reply.type('text/html; charset=utf-8').send(renderPage(view, 'page' in result ? result.page : result))
}

const callerOf = (context: ServiceContext, request: FastifyRequest) => ({
  ...anonymousCaller(context, request),
  device: deviceOf(context, request),
  ...(request.visitor === undefined
    ? {}
    : { db: context.dbFor(request.visitor.account.id), account: request.visitor.account, sessionId: request.visitor.sessionId })
})

function viewOf (
  context: ServiceContext,
  { visitor, url }: FastifyRequest,
  { refused, entered = {}, notice }: Partial<Pick<View, 'refused' | 'entered' | 'notice'>>
): View {
  return {
    to: path => to(context, path),
    account: visitor?.account,
    csrfToken: visitor === undefined ? '' : context.accounts.csrfTokens.mint(visitor.sessionId),
    url,
    refused,
    entered,
    notice
  }
}

const to = (context: ServiceContext, path: string) => `${new URL(context.baseUrl()).pathname.replace(/\/$/, '')}${path}`
