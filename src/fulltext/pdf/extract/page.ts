/** A page as the layout sees it: points from its top left corner, x to the right and y down, text upright. */
export interface PageContent {
  /** From 1. */
  number: number
  width: number
  height: number
  items: TextItem[]
  rules: Rule[]
}

/** A piece of text in one font, as the page's content has it, in the content's order. */
export interface TextItem {
  text: string
  /** Left end of its baseline. */
  x: number
  y: number
  width: number
  /** Height of the font. */
  size: number
  font: Font
}

/** A font by its name, with the weight and slant that the name tells. */
export interface Font { name: string, bold: boolean, italic: boolean }

/** A horizontal line. */
export interface Rule { x0: number, x1: number, y: number }

/** What a document says about itself beside its pages. */
export interface DocumentFacts {
  title: string | null
  /** Titles of its bookmarks, with their depth from 0. */
  outline: Array<{ title: string, depth: number }>
}
