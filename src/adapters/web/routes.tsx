import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { keywordsOf } from '../../../schemas/keywords.js'
import { Forbidden, InvalidArguments, OperationError } from '../../errors/operation-errors.js'
import { authenticateBrowserSession, type BrowserSession } from '../../accounts/browser-session.js'
import { browserLogin } from '../../operations/accounts/browser-login.js'
import type { ServiceContext } from '../../operations/context.js'
import { whileRead } from '../../server/abandoned-reads.js'
import { anonymousCaller } from '../../server/authentication.js'
import { dropSession, setSession, authenticateVisitor } from '../../server/browser-sessions.js'
import { networkOf } from '../../server/client-network.js'
import { errorOfRequest, withRetryAfter } from '../../server/errors.js'
import { decodeFields, decodeQuery } from './fields.js'
import { mayBeKept, packForm, signInAgain, unpackForm } from './interrupted-forms.js'
import { renderPage } from './layout.js'
import type { Action, ActionResult, Page, PageContent, SignIn, View } from './page.js'
import { refusedForm } from './refused-form.js'
import { consumeNotice, deviceOf, formToken, isFormOf, setDevice, setNotice, verifyForm } from './sessions.js'
import { signIn } from './sign-in.js'
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

/** What the handlers of a page's routes share. */
interface PageRoute { fastify: FastifyInstance, context: ServiceContext, page: Page }

/** Adds the routes of a page: GET shows it, POST runs an action. Access is checked before the body is read. */
export function addPage (fastify: FastifyInstance, context: ServiceContext, page: Page): void {
  const { url, access, actions } = page
  const route = { fastify, context, page }
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => await authorize(route, request, reply)

  fastify.get(url, { schema: { hide: true }, onRequest }, async (request, reply) =>
    await sendPage(route, request, reply, viewOf(context, request, { notice: consumeNotice(request, reply) })))

  if (Object.keys(actions).length === 0) return
  const admitUpload = async (request: FastifyRequest, reply: FastifyReply) => {
    if (request.visitor !== undefined && request.isMultipart()) fastify.admitUpload(request.visitor.account.id, reply)
  }
  const hooks = uploadLimitOf(page) > 0 ? [onRequest, admitUpload] : onRequest
  const bodyLimit = access === 'anyone' ? maxPublicFormBytes : maxFormBytes
  fastify.post(url, { schema: { hide: true }, bodyLimit, onRequest: hooks }, async (request, reply) =>
    await runForm(route, request, reply))
}

/** Finds out who sends a request and whether they may, or sends them to the sign-in page. */
async function authorize (route: PageRoute, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
  const { fastify, context, page } = route
  const visitor = await authenticateVisitor(context, request, reply)
  request.visitor = visitor
  if (page.isShared === true) {
    await fastify.countAnonymous(networkOf(request))
    await fastify.admitRequest(`shared ${networkOf(request)}`, request, reply)
    reply.header('x-robots-tag', 'noindex')
  }
  if (page.access === 'anyone') return
  if (visitor !== undefined) return await admit(route, visitor, request, reply)
  if (mayBeKept(context, request)) return await fastify.countAnonymous(networkOf(request))
  return await sendToLogin(context, page, request, reply)
}

async function admit ({ fastify, page }: PageRoute, visitor: BrowserSession, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  await fastify.countCall(visitor)
  await fastify.admitRequest(visitor.account.id, request, reply)
  if (page.access === 'administrator' && !visitor.account.administrator) {
    throw new Forbidden('This page is for administrators only. Ask one of them.')
  }
}

async function sendPage ({ context, page }: PageRoute, request: FastifyRequest, reply: FastifyReply, view: View): Promise<FastifyReply> {
  const query = decodeQuery(page.query, { ...request.query as object, ...request.params as object })
  return await send(context, reply, view, await show(page, whileRead(callerOf(context, request), reply), query, view))
}

/** Runs the action of a form, if its sender is signed in. */
async function runForm (route: PageRoute, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { context, page: { access, actions } } = route
  const body = (request.body ?? {}) as Sent
  const sent = access === 'anyone' ? body : unpackForm(body) ?? body
  const action = actions[actionOf(route.page, sent)]
  const isOfSession = verifyForm(context, request, action?.isForVisitors === true ? undefined : request.visitor, sent)
  if (access !== 'anyone' && request.visitor === undefined) return await resume(route, request, reply, sent)
  if (!isOfSession && action?.isForLaterSessions !== true) return await showAgain(route, request, reply.code(403), sent, notSent())
  if (action === undefined) throw new InvalidArguments('The form is incomplete. Reload the page and try again.')
  const view = viewOf(context, request, {})
  const input = { ...decodeFields(action.fields, sent), ...request.params as object }
  try {
    return await send(context, reply, view, await run(action, callerOf(context, request), input, view))
  } catch (cause) {
    const error = errorOfRequest(cause, request)
    return await showAgain(route, request, withRetryAfter(reply, error).code(error.status), sent, error)
  }
}

/** Shows a page again with what was entered in one of its forms, and why nothing was done. */
async function showAgain (
  route: PageRoute, request: FastifyRequest, reply: FastifyReply, sent: Sent, error: OperationError
): Promise<FastifyReply> {
  const { context, page } = route
  const name = actionOf(page, sent)
  const action = page.actions[name]
  const fields = action === undefined ? {} : decodeFields(action.fields, sent)
  const refused = refusedForm(name, error, invalid => action?.inField?.(invalid, fields as never) ?? invalid)
  return await sendPage(route, request, reply, viewOf(context, request, { refused, entered: sent }))
}

/** Signs in who sent a form after the end of the session, and shows the form again to its owner. @param sent the form */
async function resume (route: PageRoute, request: FastifyRequest, reply: FastifyReply, sent: Sent): Promise<FastifyReply> {
  const { context, page } = route
  const body = request.body as Sent
  const kept = packForm(page, sent)
  if (kept === undefined) return await sendToLogin(context, page, request, reply)
  if (sent === body) return await send(context, reply, viewOf(context, request, {}), signInAgain(kept))
  try {
    const started = await signIn(callerOf(context, request), decodeFields(loginFields, body))
    startSession(context, reply, started)
    request.visitor = await authenticateBrowserSession(context, started.token)
  } catch (cause) {
    const error = errorOfRequest(cause, request)
    const view = viewOf(context, request, { refused: refusedForm('sign-in', error, invalid => invalid), entered: body })
    return await send(context, withRetryAfter(reply, error).code(error.status), view, signInAgain(kept))
  }
  const visitor = request.visitor!
  if (!isFormOf(context, visitor, sent)) {
    setNotice(reply, 'You signed in with another account. What was typed before belongs to the other one, so it was not kept.')
    return await reply.redirect(to(context, request.url), 303)
  }
  await admit(route, visitor, request, reply)
  return await showAgain(route, request, reply, sent, notSent())
}

/** What a form sent, by name. */
type Sent = Readonly<Record<string, unknown>>

/** The action that a form names. A button's action follows the form's hidden one and takes precedence. */
const actionOf = ({ actions, oneClick }: Page, { action }: Sent): string => {
  const name = String([action].flat().at(-1) ?? oneClick)
  return Object.hasOwn(actions, name) ? name : ''
}

const notSent = () => new Forbidden('Your session had ended, so this was not sent. Check what you entered, and send it again.')

const loginFields = Type.Pick(browserLogin.input, ['email', 'password'])

/**
 * Sends a visitor to the sign-in page, which leads back. It says so if a form was lost. From a download, it leads to the page that offers
 * the file: the browser would save the file and still show the sign-in page.
 */
async function sendToLogin (
  context: ServiceContext, { isDownload }: Page, { method, url }: FastifyRequest, reply: FastifyReply
): Promise<FastifyReply> {
  const path = url.split('?', 1)[0]!
  const offeringPage = path.slice(0, path.lastIndexOf('/'))
  const query = method === 'GET' ? { next: isDownload === true ? offeringPage : url } : { next: path, ended: 'true' }
  return await reply.redirect(to(context, `/login?${String(new URLSearchParams(query))}`), 303)
}

function startSession (context: ServiceContext, reply: FastifyReply, session: SignIn): void {
  setSession(context, reply, session)
  setDevice(context, reply, session.device)
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
    if ('signIn' in result && result.signIn !== undefined) startSession(context, reply, result.signIn)
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
    csrfToken: visitor === undefined ? '' : formToken(context, visitor),
    url,
    refused,
    entered,
    notice
  }
}

const to = (context: ServiceContext, path: string) => `${new URL(context.baseUrl()).pathname.replace(/\/$/, '')}${path}`
