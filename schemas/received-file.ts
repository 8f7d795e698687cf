/** A file that somebody sent, kept outside of memory. Only the server makes one, so input cannot name a file of this machine. */
export abstract class ReceivedFile {
  abstract readonly path: string
  /** File name that the sender stated, if any. Not checked. */
  sentName?: string
  /** In bytes. */
  abstract readonly size: number
  /** Reads the first bytes, or all where the file has fewer. */
  abstract readStart (bytes: number): Promise<Buffer>
  /** Yields the content in parts of this many bytes; the last may have fewer. */
  abstract parts (bytes: number): AsyncIterable<Buffer>
}
