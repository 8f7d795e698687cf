import { createHash } from 'node:crypto'
import type { Db } from '../../../db/connection.js'
import { addSnapshotPart, type SnapshotAttempt } from '../../../db/queries/snapshots.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import { maxAccountSnapshotBytes, maxSnapshotBytes } from '../../../schemas/snapshot.js'

/** Characters of a part, about. */
const partLength = 128 * 1024

/** The snapshot has more bytes than one may have, or all of the account. The message is for its owner. */
export class SnapshotTooLarge extends Error {}
/** The snapshot was deleted, or another attempt began. */
export class AttemptEnded extends Error {}

interface Caller { db: Db, account: { id: string }, signal?: AbortSignal | undefined }

/** Writes the parts of a document, and hashes it. */
export class PartWriter {
  readonly #context: Caller
  readonly #attempt: SnapshotAttempt
  readonly #usedBytes: number
  readonly #hash = createHash('sha256')
  #parts = 0
  #bytes = 0
  #text: string[] = []
  #length = 0

  /** @param usedBytes of the account's other snapshots */
  constructor (context: Caller, attempt: SnapshotAttempt, usedBytes: number) {
    this.#context = context
    this.#attempt = attempt
    this.#usedBytes = usedBytes
  }

  /** Adds text to the present part, which is written when it is long enough. */
  async append (text: string): Promise<void> {
    this.#text.push(text)
    this.#length += text.length
    if (this.#length >= partLength) await this.#flush()
  }

  /** Writes a part of its own. */
  async write (text: string): Promise<void> {
    await this.#flush()
    this.#text = [text]
    await this.#flush()
  }

  async end (text: string): Promise<{ sha256: string, bytes: number, parts: number }> {
    await this.write(text)
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes, parts: this.#parts }
  }

  async #flush (): Promise<void> {
    if (this.#text.length === 0) return
    const text = this.#text.join('')
    this.#text = []
    this.#length = 0
    this.#hash.update(text)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > maxSnapshotBytes) {
      throw new SnapshotTooLarge(
        `The snapshot would have more than ${mebibytes(maxSnapshotBytes)}. Freeze a shorter period.`
      )
    }
    if (this.#usedBytes + this.#bytes > maxAccountSnapshotBytes) {
      throw new SnapshotTooLarge(
        `Your snapshots would have more than ${mebibytes(maxAccountSnapshotBytes)} together. Download and delete some, then freeze ` +
        'another one.'
      )
    }
    const { db, account, signal } = this.#context
    signal?.throwIfAborted()
    if (!await addSnapshotPart(db, account.id, this.#attempt, { ordinal: this.#parts, content: text })) throw new AttemptEnded()
    this.#parts++
  }
}
