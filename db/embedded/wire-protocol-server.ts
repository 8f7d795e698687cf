import { type Server, type Socket, createServer } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { minuteMs } from '../../schemas/durations.js'
import type { GuardedRequest } from './disk-guard.js'
import { StatementCache, closeMessages } from './statement-cache.js'

/* The part of PostgreSQL's wire protocol that lets many connections share one database session. */

const protocolVersion = 196_608
const sslRequest = 80_877_103
/** Messages without a type consist at least of a length and a code. */
const minStartBytes = 8
const [sync, terminate, query, functionCall, flush] = ['S', 'X', 'Q', 'F', 'H'].map(letter => letter.charCodeAt(0))
/** Messages after which the client waits for a response. They end a request. */
const endOfRequest = new Set([sync, query, functionCall, flush])
/** ReadyForQuery, up to its status byte. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])
const parseComplete = Buffer.from([0x31, 0, 0, 0, 4])
const syncMessage = Buffer.from([sync!, 0, 0, 0, 4])
/** The status byte of ReadyForQuery: idle, in a transaction, in a failed transaction. */
type Status = 'I' | 'T' | 'E'
/** The severity of an ErrorResponse after which the session cannot be used. */
const panicSeverity = Buffer.from('\0VPANIC\0')
/** The severity of an ErrorResponse after which the session goes on. */
const errorSeverity = Buffer.from('\0VERROR\0')
/** The messages of smaller requests are run in one call. */
const maxJoinedBytes = 65_536
/** A client that holds the session for so long without sending anything loses its connection. */
const maxIdleMs = minuteMs

/** A client's connection: splits what it sends into requests. */
class Connection {
  readonly socket: Socket
  /** Received bytes of incomplete messages, and how many bytes the next message takes. */
  #chunks: Buffer[] = []
  #receivedBytes = 0
  #requiredBytes = 0
  #buffer: Buffer = Buffer.alloc(0)
  #started = false
  /** Messages of a request that is incomplete. */
  #pendingMessages: Buffer[] = []
  /** Complete requests that have not run. */
  readonly requests: Buffer[][] = []
  /** Whether the client terminated the connection, broke the protocol or disconnected. */
  ended = false

  constructor (socket: Socket) {
    this.socket = socket
  }

  receive (bytes: Buffer): void {
    if (this.ended) return
    this.#chunks.push(bytes)
    this.#receivedBytes += bytes.length
    // A large message arrives in thousands of chunks, which are concatenated once.
    if (this.#receivedBytes < this.#requiredBytes) return
    this.#buffer = this.#chunks.length === 1 ? bytes : Buffer.concat(this.#chunks)
    for (let message = this.#nextMessage(); message !== undefined; message = this.#nextMessage()) {
      const [type] = message
      if (!this.#started) this.#start(message)
      else if (type === terminate) this.ended = true
      else {
        this.#pendingMessages.push(message)
        if (endOfRequest.has(type)) {
          this.requests.push(this.#pendingMessages)
          this.#pendingMessages = []
        }
      }
    }
    this.#chunks = this.#buffer.length === 0 ? [] : [this.#buffer]
    this.#receivedBytes = this.#buffer.length
  }

  /** The first messages have no type: an optional request for TLS, which a Unix socket does not need, then the start-up. */
  #start (message: Buffer): void {
    const code = message.readInt32BE(4)
    if (code === sslRequest) this.socket.write('N')
    else if (code === protocolVersion) {
      this.#started = true
      this.requests.push([message])
    } else this.ended = true
  }

  #nextMessage (): Buffer | undefined {
    const lengthAt = this.#started ? 1 : 0
    this.#requiredBytes = lengthAt + 4
    if (this.#buffer.length < this.#requiredBytes) return undefined
    const length = lengthAt + this.#buffer.readInt32BE(lengthAt)
    if (length < this.#requiredBytes || (!this.#started && length < minStartBytes)) {
      this.ended = true
      this.#buffer = Buffer.alloc(0)
      return undefined
    }
    this.#requiredBytes = length
    if (this.#buffer.length < length) return undefined
    const message = this.#buffer.subarray(0, length)
    this.#buffer = this.#buffer.subarray(length)
    return message
  }
}

/** Ends the thread, which the process that started it observes. */
const crash = (cause: unknown) => process.nextTick(() => { throw cause })

/** PostgreSQL would end its process here. Inside this process it cannot, and its next statement would never return. */
async function crashAfterPanic (): Promise<never> {
  crash(
    new Error(
      'The embedded database stopped: its disk may be full or broken. Acknowledged writes are safe. Free disk space, then start Litfeed ' +
      'again.'
    )
  )
  return await new Promise(() => {})
}

/** Joins messages unless copying them costs more than calls of the database. */
const joinSmall = (messages: Buffer[]): Buffer[] =>
  messages.reduce((sum, { length }) => sum + length, 0) <= maxJoinedBytes ? [Buffer.concat(messages)] : messages

/** A running server. `stop` closes every connection, after running the requests that were received. */
export interface WireProtocolServer {
  /** Number of open connections. */
  connections: () => number
  stop: () => Promise<void>
}

/**
 * Serves the database on a Unix socket. A connection holds the session from the first message of a request until the database is ready and
 * in no transaction: statements of two connections never mix, though they share the unnamed statement and the transaction. (PGlite's own
 * socket server switches connections between messages, so that one connection's Bind can meet another's Parse.)
 * @param path of the socket
 * @param beforeRequest awaited before each request
 * @see https://www.postgresql.org/docs/current/protocol-flow.html
 */
export async function serveDatabase (
  database: PGlite,
  path: string,
  beforeRequest: (request: GuardedRequest) => Promise<void>
): Promise<WireProtocolServer> {
  const connections = new Set<Connection>()
  const statements = new StatementCache()
  /** Connections that wait for the session, in order of arrival. */
  const waiting: Connection[] = []
  let holder: Connection | undefined
  /** Status after the holder's last request; undefined if that request did not end with ReadyForQuery. */
  let status: Status | undefined = 'I'
  let running: Promise<void> | undefined
  let idleTimer: NodeJS.Timeout | undefined

  const server: Server = createServer(socket => {
    const connection = new Connection(socket)
    connections.add(connection)
    socket.on('data', bytes => {
      connection.receive(bytes)
      if (connection.requests.length > 0 && connection !== holder && !waiting.includes(connection)) waiting.push(connection)
      if (connection.ended) socket.end()
      run().catch(crash)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      connection.ended = true
      connections.delete(connection)
      run().catch(crash)
    })
  })

  function run (): Promise<void> {
    running ??= runRequests().finally(() => { running = undefined })
    return running
  }

  async function runRequests (): Promise<void> {
    clearTimeout(idleTimer)
    for (;;) {
      holder ??= waiting.shift()
      if (holder === undefined) break
      const request = holder.requests.shift()
      if (request !== undefined) {
        if (status === 'I' || status === 'T') {
          await beforeRequest({ bytes: request.reduce((sum, { length }) => sum + length, 0), inTransaction: status === 'T' })
        }
        // Runs also if the client has disconnected since it sent the request.
        status = await execute(holder, request)
        if (status === 'I') release(holder)
      } else if (holder.ended) {
        await rollBack()
        status = 'I'
        release(holder)
      } else break
    }
    const idle = holder
    if (idle !== undefined) idleTimer = setTimeout(() => idle.socket.destroy(), maxIdleMs)
  }

  function release (connection: Connection): void {
    holder = undefined
    if (connection.requests.length > 0) waiting.push(connection)
  }

  async function execute ({ socket }: Connection, request: Buffer[]): Promise<Status | undefined> {
    if (status === 'I') await runSilently(closeMessages(statements.takeUnused()))
    const { messages, isParsed, onError } = statements.rewrite(request)
    let head = isParsed ? parseComplete : undefined
    let tail: Buffer = Buffer.alloc(0)
    let panicked = false
    try {
      for (const message of joinSmall(messages)) {
        await database.runExclusive(async () => await database.execProtocolRawStream(message, {
          onRawData (data) {
            const bytes = head === undefined ? Buffer.from(data) : Buffer.concat([head, data])
            head = undefined
            tail = Buffer.concat([tail, bytes.subarray(-6)]).subarray(-6)
            if (socket.writable) socket.write(bytes)
            if (bytes.includes(panicSeverity)) panicked = true
            else if (bytes.includes(errorSeverity)) onError()
          }
        }))
        if (panicked) return await crashAfterPanic()
      }
    } catch (cause) {
      onError()
      socket.destroy(cause as Error)
      await rollBack()
      return 'I'
    }
    return tail.length === 6 && tail.subarray(0, 5).equals(readyForQuery) ? String.fromCharCode(tail[5]!) as Status : undefined
  }

  /** Runs messages, and Sync, without a client. */
  async function runSilently (messages: Buffer[]): Promise<void> {
    if (messages.length === 0) return
    const bytes = Buffer.concat([...messages, syncMessage])
    await database.runExclusive(async () => await database.execProtocolRawStream(bytes, { onRawData: () => {} }))
  }

  /** Ends the request and the transaction that a disconnected client left open. */
  async function rollBack (): Promise<void> {
    await database.runExclusive(async () => await database.execProtocolRawStream(syncMessage, { onRawData: () => {} }))
    await database.exec('rollback')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    connections: () => connections.size,
    async stop () {
      clearTimeout(idleTimer)
      for (const connection of connections) {
        connection.ended = true
        connection.socket.destroy()
      }
      await new Promise(resolve => server.close(resolve))
      // Runs the requests that remain, and rolls back open transactions.
      await run()
    }
  }
}
