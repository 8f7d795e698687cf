import type { Block } from '../markdown/document.js'

/** What is gathered while a page is converted. */
export interface Conversion {
  warnings: Set<string>
  /** Notes that stand in the text; they follow at its end. */
  footnotes: Block[]
}
