import { type Server, type Socket, createServer } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'

/* PostgreSQL's wire protocol, as much as it takes to give many connections turns on one database session. */

const protocolVersion = 196_608
const sslRequest = 80_877_103
const [sync, terminate, query, functionCall, flush] = ['S', 'X', 'Q', 'F', 'H'].map(letter => letter.charCodeAt(0))
/** Messages after which the client waits for an answer; those before them belong to the same turn. */
const ending = new Set([sync, query, functionCall, flush])
/** ReadyForQuery, up to its status. */
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5])
/** Idle, in a transaction, in a failed one. */
type Status = 'I' | 'T' | 'E'
/** The severity of an ErrorResponse after which the session is of no use. */
const panic = Buffer.from('\0VPANIC\0')
/** How long a client may keep the session to itself without saying anything. */
const longestPause = 60_000

class Connection {
  readonly socket: Socket
  /** What has come of messages that are not whole yet, and how many bytes it takes to see further. */
  #pieces: Buffer[] = []
  #length = 0
  #needed = 0
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
    this.#pieces.push(bytes)
    this.#length += bytes.length
    // A large message comes in thousands of pieces: they are joined once.
    if (this.#length < this.#needed) return
    this.#bytes = this.#pieces.length === 1 ? bytes : Buffer.concat(this.#pieces)
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
    this.#pieces = this.#bytes.length === 0 ? [] : [this.#bytes]
    this.#length = this.#bytes.length
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
    this.#needed = lengthAt + 4
    if (this.#bytes.length < this.#needed) return undefined
    const length = lengthAt + this.#bytes.readInt32BE(lengthAt)
    this.#needed = length
    if (this.#bytes.length < length) return undefined
    const message = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length)
    return message
  }
}

/** A session that cannot be used any more ends the thread; whoever started it is told. */
const fail = (cause: unknown) => process.nextTick(() => { throw cause })

/** PostgreSQL would end itself here. Inside this process it cannot, and its next statement would never end. */
async function giveUp (): Promise<never> {
  fail(new Error('The embedded database gave up: its disk may be full or broken. What was acknowledged is safe; make room, and start Litfeed again.'))
  return await new Promise(() => {})
}

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
export async function serveDatabase (database: PGlite, path: string, prepare: (turn: { bytes: number, inTransaction: boolean }) => Promise<void>): Promise<WireServer> {
  const connections = new Set<Connection>()
  /** Who waits for the session, first come first served. */
  const waiting: Connection[] = []
  let owner: Connection | undefined
  /** What the owner's last turn ended with: ready outside a transaction, in one, or in a failed one; undefined where it did not end. */
  let status: Status | undefined = 'I'
  let running: Promise<void> | undefined
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

  function run (): Promise<void> {
    running ??= takeTurns().finally(() => { running = undefined })
    return running
  }

  async function takeTurns (): Promise<void> {
    clearTimeout(patience)
    for (;;) {
      owner ??= waiting.shift()
      if (owner === undefined) break
      const turn = owner.turns.shift()
      if (turn !== undefined) {
        if (status === 'I' || status === 'T') await prepare({ bytes: turn.reduce((sum, { length }) => sum + length, 0), inTransaction: status === 'T' })
        // A client may have left its last turn behind and gone: it is run to its end all the same.
        status = await execute(owner, turn)
        if (status === 'I') release(owner)
      } else if (owner.ended) {
        await leave()
        status = 'I'
        release(owner)
      } else break
    }
    const silent = owner
    if (silent !== undefined) patience = setTimeout(() => silent.socket.destroy(), longestPause)
  }

  function release (connection: Connection): void {
    owner = undefined
    if (connection.turns.length > 0) waiting.push(connection)
  }

  async function execute ({ socket }: Connection, turn: Buffer[]): Promise<Status | undefined> {
    let tail: Buffer = Buffer.alloc(0)
    let panicked = false
    try {
      for (const message of turn) {
        await database.runExclusive(async () => await database.execProtocolRawStream(message, {
          onRawData (data) {
            const bytes = Buffer.from(data)
            tail = Buffer.concat([tail, bytes.subarray(-6)]).subarray(-6)
            if (socket.writable) socket.write(bytes)
            if (bytes.includes(panic)) panicked = true
          }
        }))
        if (panicked) return await giveUp()
      }
    } catch (cause) {
      socket.destroy(cause as Error)
      await leave()
      return 'I'
    }
    return tail.length === 6 && tail.subarray(0, 5).equals(readyForQuery) ? String.fromCharCode(tail[5]!) as Status : undefined
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
      for (const connection of connections) {
        connection.ended = true
        connection.socket.destroy()
      }
      await new Promise(resolve => server.close(resolve))
      // What clients left behind is run to its end, and what they left open is ended.
      await run()
    }
  }
}
