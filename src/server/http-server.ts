import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { LRUCache } from 'lru-cache'
import { networkOf } from './client-network.js'

/** Requests of a connection that may wait for the one before; few clients pipeline any. */
const maxWaiting = 16

/** A body up to this size is read to its end after the response, so that the connection can be used again. */
const maxReadOn = 64 * 1024
/** Time in which the client can read the response before its connection closes. */
const graceMs = 1000

const bodyTimers = new WeakMap<IncomingMessage, NodeJS.Timeout>()

/** Lets the body of an upload take longer than others: as long as any request, while data arrives. */
export const allowLongBody = (request: IncomingMessage): void => clearTimeout(bodyTimers.get(request))

/** Bounds of open connections. */
export interface ConnectionLimits {
  total: number
  /** Of a client's network. */
  perNetwork: number
  /** New connections of a network in a second, and in a burst that follows a pause. */
  newPerNetwork: { second: number, burst: number }
  /** Addresses whose connections are those of many clients, such as a proxy. */
  isShared: (address: string) => boolean
}

type Exchange = [request: IncomingMessage, response: ServerResponse]

/**
 * Creates a server that handles the requests of each connection one after the other, and closes a connection that sends too many ahead.
 * Node.js hands all pipelined requests over at once, a thousand small ones from a single packet, and never closes the responses of those
 * that wait when the connection breaks, so nothing that they hold would be released.
 * @param timeouts milliseconds; see the properties of http.Server. `bodyTimeout` is for each body that `allowLongBody` does not allow more
 */
export function createHttpServer (
  handle: RequestListener,
  options: ServerOptions,
  timeouts: { keepAliveTimeout: number, bodyTimeout: number, requestTimeout: number, connectionTimeout: number },
  limits?: ConnectionLimits
): Server {
  const waitingOf = new WeakMap<Socket, Exchange[]>()

  const server = createServer(options, (request, response) => {
    const { socket } = request
    if (socket.destroyed) return
    limitBody(request)
    const waiting = waitingOf.get(socket)
    if (waiting === undefined) {
      waitingOf.set(socket, [])
      start([request, response])
    } else if (waiting.length < maxWaiting) {
      waiting.push([request, response])
    } else {
      socket.destroy()
      discardRest(socket)
    }
  })
  server.keepAliveTimeout = timeouts.keepAliveTimeout
  server.requestTimeout = timeouts.requestTimeout
  server.setTimeout(timeouts.connectionTimeout)
  if (limits !== undefined) limitConnections(server, limits)
  return server

  function limitBody (request: IncomingMessage): void {
    const { headers, socket } = request
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    const timer = setTimeout(() => {
      // As Node.js does after `requestTimeout`.
      const error = Object.assign(new Error('The body took too long.'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      if (!request.complete && !socket.destroyed) server.emit('clientError', error, socket)
    }, timeouts.bodyTimeout).unref()
    bodyTimers.set(request, timer)
    request.once('close', () => clearTimeout(timer))
  }

  function start ([request, response]: Exchange): void {
    response.once('close', () => {
      const next = waitingOf.get(request.socket)?.shift()
      // Others have their turn before the next request of this connection.
      if (next === undefined) waitingOf.delete(request.socket)
      else setImmediate(() => { if (!request.socket.destroyed) start(next) })
    })
    response.once('finish', () => closeUnreadBody(request))
    handle(request, response)
  }
}

/** What Node.js calls with each request that it has parsed of a connection. No documented way ends the parser. */
interface ParsedSocket extends Socket { parser?: { onIncoming?: () => number } }
/** Says that what follows is another protocol's, which the parser leaves alone. */
const upgraded = 2

/**
 * Ends the parsing of what a closed connection has sent: otherwise, a packet of a thousand small requests becomes a thousand requests and
 * responses at once.
 */
function discardRest (socket: ParsedSocket): void {
  if (socket.parser !== undefined) socket.parser.onIncoming = () => upgraded
}

/**
 * Closes connections beyond the limits as they open. The event loop accepts one connection in each turn, and everybody's new ones wait in a
 * queue: without the limit of new ones, a network that opens hundreds in a second would make others wait for seconds.
 */
function limitConnections (server: Server, { total, perNetwork, newPerNetwork, isShared }: ConnectionLimits): void {
  server.maxConnections = total
  const openOf = new Map<string, number>()
  const mayOpen = newConnectionLimit(newPerNetwork)
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket
    if (remoteAddress === undefined || isShared(remoteAddress)) return
    const network = networkOf({ ip: remoteAddress })
    const open = openOf.get(network) ?? 0
    if (open >= perNetwork || !mayOpen(network)) {
      socket.destroy()
      return
    }
    openOf.set(network, open + 1)
    socket.once('close', () => {
      const left = openOf.get(network)! - 1
      if (left === 0) openOf.delete(network)
      else openOf.set(network, left)
    })
  })
}

/** Networks whose latest connections are remembered. */
const maxRemembered = 10_000

/** Counts new connections in a bucket for each network, which empties steadily. @returns whether a network may open another one now */
function newConnectionLimit ({ second, burst }: ConnectionLimits['newPerNetwork']): (network: string) => boolean {
  const buckets = new LRUCache<string, { filled: number, at: number }>({ max: maxRemembered })
  return network => {
    const now = performance.now()
    const { filled, at } = buckets.get(network) ?? { filled: 0, at: now }
    const left = Math.max(0, filled - (now - at) / 1000 * second)
    const isAllowed = left + 1 <= burst
    buckets.set(network, { filled: isAllowed ? left + 1 : left, at: now })
    return isAllowed
  }
}

/**
 * Closes a connection whose body goes on after the response, as that of an upload that was rejected: Node.js, and the parser of forms,
 * would read it for as long as the client sends. @see RFC 9112, section 9.6
 */
function closeUnreadBody ({ complete, headers, socket }: IncomingMessage): void {
  if (complete || socket.destroyed || Number(headers['content-length'] ?? Infinity) <= maxReadOn) return
  // Node.js resumes a body that nobody read right after the response.
  setImmediate(() => socket.pause())
  setTimeout(() => socket.destroy(), graceMs).unref()
}
