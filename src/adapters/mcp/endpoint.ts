import type { IncomingHttpHeaders } from 'node:http'
import { type Answer, dispatch, errorText } from './dispatch.js'
import { type Message, classify, parseBody } from './envelope.js'
import type { Era } from './eras/era.js'
import { checkModernRequest, isModernMessage } from './eras/headers.js'
import { INVALID_REQUEST, PARSE_ERROR, ProtocolError } from './errors.js'
import type { Call } from './method.js'
import { batchVersion, isLegacy, legacyVersions } from './versions.js'

/** Messages of one batch at most. */
const longestBatch = 50

/** What a POST is answered: a status, and a text unless there is nothing to say. */
export interface Reply { status: number, text?: string }

/**
 * Answers the body of a POST whose sender is known.
 * @see the order of checks in docs/architecture.md
 * @throws Unavailable when the database is away
 */
export function endpoint (eras: { legacy: Era, modern: Era }) {
  return async function answer (call: Call, headers: IncomingHttpHeaders, body: string): Promise<Reply> {
    try {
      const value = parseBody(body)
      return Array.isArray(value) ? await answerBatch(call, headers, value) : await answerMessage(call, headers, classify(value))
    } catch (error) {
      if (error instanceof ProtocolError && (error.code === PARSE_ERROR || error.code === INVALID_REQUEST)) return { status: 400, text: errorText(error) }
      throw error
    }
  }

  async function answerMessage (call: Call, headers: IncomingHttpHeaders, message: Message): Promise<Reply> {
    if (message.kind === 'invalid') return { status: 400, text: errorText(message.error, message.id) }
    if (message.kind === 'response') {
      if (isModernMessage({ method: '' }, headers)) throw new ProtocolError(INVALID_REQUEST, 'The service asks its clients nothing, and takes no responses.')
      checkLegacyVersion(headers)
      return { status: 202 }
    }
    const asked = message.kind === 'request' ? message.request : message.notification
    const modern = isModernMessage(asked, headers)
    try {
      if (modern && message.kind === 'request') checkModernRequest(asked, headers)
      if (!modern && asked.method !== 'initialize') checkLegacyVersion(headers)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return { status: 400, text: errorText(error, message.kind === 'request' ? message.request.id : undefined) }
    }
    if (message.kind === 'notification') return { status: 202 }
    return await dispatch(modern ? eras.modern : eras.legacy, call, message.request)
  }

  /** Only one revision has batches; a missing header stands for it. */
  async function answerBatch (call: Call, headers: IncomingHttpHeaders, values: unknown[]): Promise<Reply> {
    const version = headers['mcp-protocol-version']
    if (version !== undefined && version !== batchVersion) throw new ProtocolError(INVALID_REQUEST, 'This revision has no batches: send one message in a request.')
    if (values.length === 0) throw new ProtocolError(INVALID_REQUEST, 'The batch is empty.')
    if (values.length > longestBatch) throw new ProtocolError(INVALID_REQUEST, `A batch may have ${longestBatch} messages at most.`)
    const answers = await Promise.all(values.map(async value => await answerInBatch(call, classify(value))))
    const texts = answers.flatMap(answer => answer === undefined ? [] : [answer.text])
    return texts.length === 0 ? { status: 202 } : { status: 200, text: `[${texts.join(',')}]` }
  }

  async function answerInBatch (call: Call, message: Message): Promise<Answer | undefined> {
    if (message.kind === 'invalid') return { status: 400, text: errorText(message.error, message.id) }
    if (message.kind !== 'request') return undefined
    const { request } = message
    if (request.method === 'initialize') return { status: 200, text: errorText(new ProtocolError(INVALID_REQUEST, 'initialize must not be part of a batch.'), request.id) }
    if (isModernMessage(request, {})) return { status: 200, text: errorText(new ProtocolError(INVALID_REQUEST, 'A request of this revision must not be part of a batch.'), request.id) }
    return await dispatch(eras.legacy, call, request)
  }
}

/** @throws ProtocolError when the header names a revision that is not served */
function checkLegacyVersion (headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || (typeof version === 'string' && isLegacy(version))) return
  throw new ProtocolError(INVALID_REQUEST, `MCP-Protocol-Version ${String(version).slice(0, 32)} is not served. Served: ${legacyVersions.join(', ')}.`)
}
