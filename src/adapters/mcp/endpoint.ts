import type { IncomingHttpHeaders } from 'node:http'
import type { RequestId } from '../../../schemas/jsonrpc.js'
import { answerAll } from './batch.js'
import { dispatch } from './dispatch.js'
import { type Message, classify, parseBody } from './envelope.js'
import type { Era } from './eras/era.js'
import { checkModernRequest, isModernMessage } from './eras/headers.js'
import { errorText, INVALID_REQUEST, ProtocolError, requestError } from './errors.js'
import { joined, type JsonParts } from '../../server/json-parts.js'
import type { Call } from './method.js'
import { batchVersion, isLegacy, servedVersions } from './versions.js'

const maxBatchMessages = 50
/** Members of a message in a batch: the 110 of the largest call, and those of its envelope and `_meta`. */
const maxMessageMembers = 140

/** The response to a POST. */
export interface Reply { status: number, body?: JsonParts }

/** A message that is valid JSON-RPC. */
type ValidMessage = Exclude<Message, { kind: 'invalid' }>

/**
 * Answers the body of a POST from an authenticated caller.
 * @see the order of checks in docs/architecture.md
 * @throws ProtocolError if the body is rejected as a whole, DatabaseUnavailable
 */
export function endpoint (eras: { legacy: Era, modern: Era }) {
  return async function answer (call: Call, headers: IncomingHttpHeaders, body: string): Promise<Reply> {
    const value = parseBody(body, maxBatchMessages * maxMessageMembers)
    if (Array.isArray(value)) return await answerBatch(call, headers, value)
    return await answerMessage(call, classify(value), message => eraOf(message, headers))
  }

  /** @param checkEra returns the era of the message @throws DatabaseUnavailable */
  async function answerMessage (call: Call, message: Message, checkEra: (message: ValidMessage) => Era): Promise<Reply> {
    try {
      if (message.kind === 'invalid') throw message.error
      const era = checkEra(message)
      return message.kind === 'request' ? { status: 200, body: await dispatch(era, call, message.request) } : { status: 202 }
    } catch (thrown) {
      const error = requestError(thrown, call.toPublicError)
      return { status: error.status, body: joined(errorText(error, idOf(message))) }
    }
  }

  /** @throws ProtocolError if the headers of the message do not fit its era */
  function eraOf (message: ValidMessage, headers: IncomingHttpHeaders): Era {
    if (message.kind === 'response') {
      if (isModernMessage({ method: '' }, headers)) {
        throw new ProtocolError(
          INVALID_REQUEST,
          'The service sends no requests to clients, so it accepts no responses. Send requests and notifications only.'
        )
      }
      checkLegacyVersion(headers)
      return eras.legacy
    }
    const received = message.kind === 'request' ? message.request : message.notification
    const modern = isModernMessage(received, headers)
    if (modern && message.kind === 'request') checkModernRequest(received, headers)
    if (!modern && received.method !== 'initialize') checkLegacyVersion(headers)
    return modern ? eras.modern : eras.legacy
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
    const bodies = await answerAll(
      values.map(classify),
      async (message, onOversized) => (await answerMessage({ ...call, onOversized }, message, eraInBatch)).body,
      refuseInBatch,
      call.isAbandoned
    )
    if (bodies.length === 0) return { status: 202 }
    return { status: 200, body: joined(...bodies.flatMap((body, at) => [at === 0 ? '[' : ',', body]), ']') }
  }

  /** @throws ProtocolError for a request that must be sent alone */
  function eraInBatch (message: ValidMessage): Era {
    if (message.kind === 'request' && message.request.method === 'initialize') {
      throw new ProtocolError(INVALID_REQUEST, 'initialize must not be part of a batch. Send it alone.')
    }
    if (message.kind === 'request' && isModernMessage(message.request, {})) {
      throw new ProtocolError(INVALID_REQUEST, 'A request of this revision must not be part of a batch. Send it alone.')
    }
    return eras.legacy
  }
}

/** The answer to a message whose own does not fit into the response of its batch. */
const refuseInBatch = (message: Message): JsonParts | undefined =>
  message.kind !== 'request' ? undefined : joined(errorText(resultsTooLarge, message.request.id))

const resultsTooLarge = new ProtocolError(
  INVALID_REQUEST,
  'The results of this batch are too large for one response. Send this request on its own, or request less with limit or max_chars ' +
  'and continue with offset.'
)

/** The id with which a message is answered, where it is known. */
export function idOf (message: Message): RequestId | undefined {
  if (message.kind === 'request') return message.request.id
  return message.kind === 'invalid' ? message.id : undefined
}

/** @throws ProtocolError if the header names an unsupported revision */
function checkLegacyVersion (headers: IncomingHttpHeaders): void {
  const version = headers['mcp-protocol-version']
  if (version === undefined || (typeof version === 'string' && isLegacy(version))) return
  throw new ProtocolError(
    INVALID_REQUEST,
    `MCP-Protocol-Version ${String(version).slice(0, 32)} is not supported. Supported: ${servedVersions.join(', ')}.`
  )
}
