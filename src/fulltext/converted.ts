/** A paper's full text as Markdown. */
export interface Converted {
  markdown: string
  /** Name and version of the converter: "litfeed-jats 1". */
  converter: string
  /** Number of pages of a PDF; null for other formats. */
  pages: number | null
  /** Losses that readers should know of: "page 3 has no text". */
  warnings: string[]
}

/** Why a document has no text. */
export type NotConvertibleReason = 'encrypted' | 'damaged' | 'no_text' | 'too_large' | 'timeout' | 'out_of_memory' | 'not_this_format'

/** The document cannot be converted; the message tells the paper's reader why. */
export class NotConvertible extends Error {
  readonly reason: NotConvertibleReason
  constructor (reason: NotConvertibleReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

/** Largest document, in bytes, that is fetched, uploaded or converted: larger files hold pictures, not text. */
export const maxDocumentBytes = 64 * 1024 * 1024
