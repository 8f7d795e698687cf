import { ReceivedFile } from '../../schemas/received-file.js'
import { listOf } from './paper-list.js'

/** A list of papers that a person names, as a file to import. */
export class PaperListFile extends ReceivedFile {
  readonly path = ''
  readonly #bytes: Buffer

  constructor (name: string, papers: readonly string[]) {
    super()
    this.#bytes = Buffer.from(listOf(papers))
    this.sentName = name
  }

  get size (): number { return this.#bytes.length }

  async readStart (bytes: number): Promise<Buffer> { return this.#bytes.subarray(0, bytes) }

  async * parts (bytes: number): AsyncIterable<Buffer> {
    for (let at = 0; at < this.size; at += bytes) yield this.#bytes.subarray(at, at + bytes)
  }
}
