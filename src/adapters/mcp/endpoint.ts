import type { IncomingHttpHeaders } from 'node:http'
import { answerAll } from './batch.js'
import { type Answer, dispatch, errorText } from './dispatch.js'
import { type Message, classify, parseBody } from './envelope.js'
import type { Era } from './eras/era.js'
import { checkModernRequest, isModernMessage } from './eras/headers.js'
import { INVALID_REQUEST, PARSE_ERROR, ProtocolError } from './errors.js'
import type { Call } from './method.js'
import { batchVersion, isLegacy, legacyVersions } from './versions.js'

const maxBatchMessages = 50

/** The response to a POST: a status, and a text unless the body is empty. */
export interface Reply { status: number, text?: string }

/**
 * Answers the body of a POST from an authenticated caller.
 * @see the order of checks in docs/architecture.md
 * @throws Unavailable if the database is unreachable
 */
export function endpoint (eras: { legacy: Era, modern: Era }) {
  return async function answer (call: Call, headers: IncomingHttpHeaders, body: string): Promise<Reply> {
    try {
      const value = parseBody(body)
      return Array.isArray(value) ? await answerBatch(call, headers, value) : await answerMessage(call, headers, classify(value))
    } catch (error) {
      if (error instanceof ProtocolError && (error.code === PARSE_ERROR || error.code === INVALID_REQUEST)) {
        return { status: 400, text: errorText(error) }
      }
      throw error
    }
  }

  async function answerMessage (call: Call, headers: IncomingHttpHeaders, message: Message): Promise<Reply> {
    if (message.kind === 'invalid') return { status: 400, text: errorText(message.error, message.id) }
    if (message.kind === 'response') {
      if (isModernMessage({ method: '' }, headers)) {
        throw new ProtocolError(
          INVALID_REQUEST,
          'The service sends no requests to clients, so it accepts no responses. Send requests and notifications only.'
        )
      }
      checkLegacyVersion(headers)
      return { status: 202 }
    }
    const received = message.kind === 'request' ? message.request : message.notification
    const modern = isModernMessage(received, headers)
    try {
      if (modern && message.kind === 'request') checkModernRequest(received, headers)
      if (!modern && received.method !== 'initialize') checkLegacyVersion(headers)
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      return { status: 400, text: errorText(error, message.kind === 'request' ? message.request.id : undefined) }
    }
    if (message.kind === 'notification') return { status: 202 }
    return await dispatch(modern ? eras.modern : eras.legacy, call, message.request)
  }

  /** Answers a batch. Only one revision has batches, and a missing header means that revision. */
  async function answerBatch (call: Call, headers: IncomingHttpHeaders, values: unknown[]): Promise<Reply> {
    const version = headers['mcp-protocol-version']
    if (version !== undefined && version !== batchVersion) {
      throw new ProtocolError(INVALID_REQUEST, 'This revision does not support batches: send one message per request.')
    }
    if (values.length === 0) throw new ProtocolError(INVALID_REQUEST, 'The batch is empty. Send at least one message.')
    if (values.length > maxBatchMessages) {
      throw new ProtocolError(INVALID_REQUEST, `A batch may have at most ${maxBatchMessages} messages. Send the others in another batch.`)
    }
    const texts = await answerAll(
      values.map(classify),
      async (message, onOversized) => await answerInBatch({ ...call, onOversized }, message),
      refuseInBatch,
      call.isAbandoned
    )
    return texts.length === 0 ? { status: 202 } : { status: 200, text: `[${texts.join(',')}]` }
  }

  async function answerInBatch (call: Call, message: Message): Promise<Answer | undefined> {
    if (message.kind === 'invalid') return { status: 400, text: errorText(message.error, message.id) }
    if (message.kind !== 'request') return undefined
    const { request } = message
    if (request.method === 'initialize') {
      return {
        status: 200,
        text: errorText(new ProtocolError(INVALID_REQUEST, 'initialize must not be part of a batch. Send it alone.'), request.id)
      }
    }
    if (isModernMessage(request, {})) {
      return {
        status: 200,
        text: errorText(
          new ProtocolError(INVALID_REQUEST, 'A request of this revision must not be part of a batch. Send it alone.'),
          request.id
        )
      }
    }
    return await dispatch(eras.legacy, call, request)
  }
}

/** The error for a message whose answer does not fit into the response of its batch. */
const refuseInBatch = (message: Message) =>
  message.kind !== 'request'
    ? undefined
    : errorText(
      new ProtocolError(
        INVALID_REQUEST,
        'The results of this batch are too large for one response. Send this request on its own, or request less with limit or max_chars ' +
        'and continue with offset.'
      ),
      message.request.id
    )

/** @throws ProtocolError if the header names an unsupported revision */
function checkLegacyVersion (headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || (typeof version === 'string' && isLegacy(version))) return
  throw new ProtocolError(
    INVALID_REQUEST,
    `MCP-Protocol-Version ${String(version).slice(0, 32)} is not supported. Supported: ${legacyVersions.join(', ')}.`
  )
}
