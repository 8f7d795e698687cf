import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

/** Characters from which a part becomes bytes. */
const minConvertedLength = 65_536

/**
 * JSON in parts that follow each other. Long parts are bytes already, as they are sent: as strings of megabytes, which others copy, they
 * would be garbage that takes long to collect.
 */
export class JsonParts {
  readonly parts: ReadonlyArray<string | Buffer>
  /** In characters. */
  readonly length: number

  constructor (parts: ReadonlyArray<string | Buffer>, length: number) {
    this.parts = parts
    this.length = length
  }
}

/** Joins parts. */
export function joined (...members: ReadonlyArray<string | JsonParts>): JsonParts {
  return new JsonParts(
    members.flatMap(member => member instanceof JsonParts ? member.parts : [member]),
    members.reduce((sum, { length }) => sum + length, 0)
  )
}

/** Collects pieces, and converts them to bytes as they become long. */
export class PartsWriter {
  readonly #parts: Buffer[] = []
  #text = ''
  #length = 0

  /** @param piece does not end within a surrogate pair */
  add (piece: string): void {
    this.#length += piece.length
    this.#text += piece
    if (this.#text.length < minConvertedLength) return
    this.#parts.push(Buffer.from(this.#text))
    this.#text = ''
  }

  get length (): number { return this.#length }

  get parts (): JsonParts { return new JsonParts([...this.#parts, this.#text], this.#length) }
}

/** Sends bytes part by part: a copy of all would take as much memory again. */
export function sendParts (reply: FastifyReply, { parts }: JsonParts): FastifyReply {
  if (parts.every(part => typeof part === 'string')) return reply.send(parts.join(''))
  const bytes = parts.map(part => typeof part === 'string' ? Buffer.from(part) : part)
  return reply.header('content-length', bytes.reduce((sum, { length }) => sum + length, 0))
    .send(Readable.from(bytes, { objectMode: false }))
}
