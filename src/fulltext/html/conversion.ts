import type { Block } from '../markdown/document.js'

/** State of a conversion. */
export interface Conversion {
  warnings: Set<string>
  /** Footnotes, which are written at the end. */
  footnotes: Block[]
}
