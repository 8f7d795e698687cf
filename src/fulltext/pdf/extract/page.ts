/** The content of a page. Coordinates are in points from the top left corner, y downwards; text is upright. */
export interface PageContent {
  /** One-based. */
  number: number
  width: number
  height: number
  items: TextItem[]
  rules: Rule[]
}

/** A text item of the content stream: text in one font on one baseline. */
export interface TextItem {
  text: string
  /** Left end of the baseline. */
  x: number
  y: number
  width: number
  /** Font size in points. */
  size: number
  font: Font
}

/** A font; weight and slant come from its descriptor or its name. */
export interface Font { name: string, bold: boolean, italic: boolean }

/** A horizontal rule. */
export interface Rule { x0: number, x1: number, y: number }

/** Metadata of a document. */
export interface DocumentMetadata {
  title: string | null
  /** Bookmarks with their zero-based depth. */
  outline: Array<{ title: string, depth: number }>
}
