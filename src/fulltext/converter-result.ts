import type { ReceivedFile } from '../../schemas/received-file.js'

/** A paper's full text as Markdown. */
export interface ConverterResult {
  markdown: string
  /** Name and version of the converter: "litfeed-jats 1". */
  converter: string
  /** Number of pages of a PDF; null for other formats. */
  pages: number | null
  /** What readers should know about: "Page 3 has no text." */
  warnings: string[]
  /** What the text lacks and the reader must know: "Page 7 could not be read." The text says so at its end, and the warnings do. */
  losses?: string[]
  /** An external converter's message about losses, for the log. */
  detail?: string
}

/** Why a document has no text. */
export type NotConvertibleReason = 'encrypted' | 'damaged' | 'no_text' | 'too_large' | 'timeout' | 'out_of_memory' | 'not_this_format'

/** The document cannot be converted. The message is for the reader and never quotes the document. */
export class NotConvertible extends Error {
  readonly reason: NotConvertibleReason
  constructor (reason: NotConvertibleReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** The conversion ended for a reason outside the document: another attempt may succeed. The message is for the reader. */
export class ConverterStopped extends Error {}

/** A document to convert: its bytes, or a file, which stays out of this process's memory. */
export type Document = Uint8Array | ReceivedFile

/** Returns the size of a document in bytes. */
export const sizeOf = (document: Document): number => document instanceof Uint8Array ? document.length : document.size
