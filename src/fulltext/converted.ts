/** A paper's full text as Markdown. */
export interface Converted {
  markdown: string
  /** What made it, with its version: "litfeed-jats 1". */
  converter: string
  /** Of a PDF. */
  pages: number | null
  /** What a reader should know: "page 3 has no text". */
  warnings: string[]
}

export type NotConvertibleReason = 'encrypted' | 'damaged' | 'no_text' | 'too_large' | 'timeout' | 'out_of_memory' | 'not_this_format'

/** A document that no text can be had from; the message says to the paper's reader what is wrong with it. */
export class NotConvertible extends Error {
  readonly reason: NotConvertibleReason
  constructor (reason: NotConvertibleReason, message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}
