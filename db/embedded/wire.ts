import { type Server, type Socket, createServer } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/* PostgreSQL's wire protocol, as much as it takes to give many connections turns on one database session. */

const protocolVersion = 196_608
const sslRequest = 80_877_103
const [sync, terminate, query, functionCall, flush] = ['S', 'X', 'Q', 'F', 'H'].map(letter => letter.charCodeAt(0))
/** Messages after which the client waits for an answer; those before them belong to the same turn. */
const ending = new Set([sync, query, functionCall, flush])
/** ReadyForQuery, up to its status: I idle, T in a transaction, E in a failed one. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])
const idle = 'I'.charCodeAt(0)
/** How long a client may keep the session to itself without saying anything. */
const longestPause = 60_000

class Connection {
  readonly socket: Socket
  #bytes: Buffer = Buffer.alloc(0)
  #started = false
  /** Messages of a turn whose end has not come yet. */
  #gathering: Buffer[] = []
  /** Messages that can run, turn by turn. */
  readonly turns: Buffer[][] = []
  /** Whether the client has said that it ends, or is gone. */
  ended = false

  constructor (socket: Socket) {
    this.socket = socket
  }

  receive (bytes: Buffer): void {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes])
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      const [type] = message
      if (!this.#started) this.#start(message)
      else if (type === terminate) this.ended = true
      else {
        this.#gathering.push(message)
        if (ending.has(type)) {
          this.turns.push(this.#gathering)
          this.#gathering = []
        }
      }
    }
  }

  /** The first messages have no type: a question for encryption, which a Unix socket does without, and then the start-up. */
  #start (message: Buffer): void {
    const code = message.readInt32BE(4)
    if (code === sslRequest) this.socket.write('N')
    else if (code === protocolVersion) {
      this.#started = true
      this.turns.push([message])
    } else this.ended = true
  }

  #next (): Buffer | undefined {
    const lengthAt = this.#started ? 1 : 0
    if (this.#bytes.length < lengthAt + 4) return undefined
    const length = lengthAt + this.#bytes.readInt32BE(lengthAt)
    if (this.#bytes.length < length) return undefined
    const message = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length)
    return message
  }
}

/** A session that cannot be used any more ends the thread; whoever started it is told. */
const fail = (cause: unknown) => process.nextTick(() => { throw cause })

export interface WireServer {
  connections: () => number
  stop: () => Promise<void>
}

/**
 * Serves the database on a Unix socket. A connection has the session to itself from the first message of a turn until the database is
 * ready and in no transaction: statements of two connections never mix, though they share the unnamed statement and the transaction.
 * (PGlite's own socket server gives turns message by message, so that one connection's Bind can meet another's Parse.)
 * @see https://www.postgresql.org/docs/current/protocol-flow.html
 */
export async function serveDatabase (database: PGlite, path: string): Promise<WireServer> {
  const connections = new Set<Connection>()
  /** Who waits for the session, first come first served. */
  const waiting: Connection[] = []
  let owner: Connection | undefined
  let running = false
  let patience: NodeJS.Timeout | undefined

  const server: Server = createServer(socket => {
    const connection = new Connection(socket)
    connections.add(connection)
    socket.on('data', bytes => {
      connection.receive(bytes)
      if (connection.turns.length > 0 && connection !== owner && !waiting.includes(connection)) waiting.push(connection)
      if (connection.ended) socket.end()
      run().catch(fail)
    })
    socket.on('error', () => socket.destroy())
    socket.on('close', () => {
      connection.ended = true
      connections.delete(connection)
      run().catch(fail)
    })
  })

  async function run (): Promise<void> {
    if (running) return
    running = true
    clearTimeout(patience)
    for (;;) {
      owner ??= waiting.shift()
      if (owner === undefined) break
      const turn = owner.turns.shift()
      if (turn !== undefined) {
        // A client may have left its last turn behind and gone: it is run to its end all the same.
        if (await execute(owner, turn)) release(owner)
      } else if (owner.ended) {
        await leave()
        release(owner)
      } else break
    }
    running = false
    const silent = owner
    if (silent !== undefined) patience = setTimeout(() => silent.socket.destroy(), longestPause)
  }

  function release (connection: Connection): void {
    owner = undefined
    if (connection.turns.length > 0) waiting.push(connection)
  }

  /** @returns whether the database is ready and in no transaction */
  async function execute ({ socket }: Connection, turn: Buffer[]): Promise<boolean> {
    let tail: Buffer = Buffer.alloc(0)
    try {
      for (const message of turn) {
        await database.runExclusive(async () => await database.execProtocolRawStream(message, {
          onRawData (data) {
            const bytes = Buffer.from(data)
            tail = Buffer.concat([tail, bytes.subarray(-6)]).subarray(-6)
            if (socket.writable) socket.write(bytes)
          }
        }))
      }
    } catch (cause) {
      socket.destroy(cause as Error)
      await leave()
      return true
    }
    return tail.length === 6 && tail.subarray(0, 5).equals(readyForQuery) && tail[5] === idle
  }

  /** Ends what a client that is gone has left open. */
  async function leave (): Promise<void> {
    await database.runExclusive(async () => await database.execProtocolRawStream(Buffer.from([sync!, 0, 0, 0, 4]), { onRawData: () => {} }))
    await database.exec('rollback')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, resolve)
  })
  return {
    connections: () => connections.size,
    async stop () {
      clearTimeout(patience)
      for (const { socket } of connections) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    }
  }
}
