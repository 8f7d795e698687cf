import { StatementNames } from '../statement-names.js'

/*
 * Plans of frequent statements. A driver sends each statement unnamed, so PostgreSQL plans it again each time; in WebAssembly, planning a
 * page of a feed takes three times as long as running it. The cache gives frequent statements a name in the session, which all connections
 * share. PostgreSQL itself decides between a plan for the parameters at hand and one for all (plan_cache_mode = auto).
 */

const [parse, bind, describe, execute, sync, query] = ['P', 'B', 'D', 'E', 'S', 'Q'].map(letter => letter.charCodeAt(0))
/** The messages of a statement with parameters, as the driver sends them. */
const shape = [parse, bind, describe, execute, sync]
/** Where the body of a message starts, after its type and length. */
const bodyAt = 5
/** Executions before a statement gets a name. */
const minUses = 5
/** Longer statements, such as insertions of many rows, are hardly ever sent twice. */
const maxParseBytes = 16_384
/** A plan fits the size that tables had when it was made, so it is made again after a while. */
const planLifetimeMs = 10_000
/** Statements that can change the columns of a cached statement's result, which PostgreSQL answers with an error. */
const changesSchema = /^\s*(?:alter|create|drop)\b/i

/** A request as the session gets it. */
export interface CachedRequest {
  messages: Buffer[]
  /** Whether Parse was left out, so that its response must be added. */
  isParsed: boolean
  /** Tells the cache that the request failed: its statement may not exist. */
  onError: () => void
}

/** Renames the statements of requests. Its caller runs the requests one after another in one session. */
export class StatementCache {
  readonly #names: StatementNames
  #unused: string[] = []

  /** @param now milliseconds of a monotonic clock */
  constructor (now?: () => number) {
    this.#names = new StatementNames({
      minUses,
      prefix: 'cached_',
      lifetimeMs: planLifetimeMs,
      onUnused: name => { this.#unused.push(name) },
      ...(now === undefined ? {} : { now })
    })
  }

  /** Names that can be closed, each returned once. */
  takeUnused (): string[] {
    const names = this.#unused
    this.#unused = []
    return names
  }

  /** Returns a request that uses a named statement if its statement is frequent; else the request itself. */
  rewrite (request: Buffer[]): CachedRequest {
    const unchanged: CachedRequest = { messages: request, isParsed: false, onError: () => {} }
    const [first, second] = request
    if (changesSchema.test(textOf(first!))) this.#names.forgetAll()
    const isCacheable = request.length === shape.length && request.every((message, at) => message[0] === shape[at]) &&
      first!.length <= maxParseBytes && isUnnamed(first!) && isUnnamed(second!)
    if (!isCacheable) return unchanged
    const statement = first!.toString('latin1', bodyAt)
    const named = this.#names.use(statement)
    if (named === undefined) return unchanged
    const { name, isNew } = named
    const others = [rename(second!, bodyAt + 1, name), ...request.slice(2)]
    return {
      messages: isNew ? [rename(first!, bodyAt, name), ...others] : others,
      isParsed: !isNew,
      onError: () => { this.#names.forget(statement) }
    }
  }
}

/** The messages that close statements. */
export const closeMessages = (names: readonly string[]): Buffer[] =>
  names.map(name => {
    const message = Buffer.from(`C____S${name}\0`, 'latin1')
    message.writeInt32BE(message.length - 1, 1)
    return message
  })

/** Whether Parse names no statement, or Bind neither a portal nor a statement. */
const isUnnamed = (message: Buffer): boolean => message[bodyAt] === 0 && (message[0] === parse || message[bodyAt + 1] === 0)

/** The start of the SQL of Parse or Query; empty for other messages. */
function textOf (message: Buffer): string {
  if (message[0] === query) return message.toString('latin1', bodyAt, bodyAt + 32)
  return message[0] === parse ? message.toString('latin1', bodyAt + 1, bodyAt + 33) : ''
}

/** The message with a name in place of the empty one. */
function rename (message: Buffer, at: number, name: string): Buffer {
  const renamed = Buffer.concat([message.subarray(0, at), Buffer.from(name, 'latin1'), message.subarray(at)])
  renamed.writeInt32BE(renamed.length - 1, 1)
  return renamed
}
