/** Inline content. Strings are plain text; the writer escapes them. */
export type Inline =
  | string
  | { kind: 'strong' | 'emphasis' | 'subscript' | 'superscript', content: Inline[] }
  | { kind: 'link', url: string, content: Inline[] }
  | { kind: 'code', text: string }
  | { kind: 'math', latex: string }
  | { kind: 'break' }

/** A block of a document. */
export type Block =
  | { kind: 'heading', level: number, content: Inline[] }
  | { kind: 'paragraph', content: Inline[] }
  | { kind: 'list', ordered: boolean, start?: number, items: Block[][] }
  | { kind: 'quote', content: Block[] }
  | { kind: 'code', text: string }
  | { kind: 'math', latex: string }
  | Table

/** A table; rows of the header come first. */
export interface Table {
  kind: 'table'
  /** Header rows. */
  head: Cell[][]
  body: Cell[][]
}

/** A cell of a table, with the columns and rows that it spans. */
export interface Cell {
  content: Inline[]
  /** Number of columns and rows that the cell spans. Default 1. */
  columns?: number
  rows?: number
}

/** A paragraph of inline content. */
export const paragraph = (...content: Inline[]): Block => ({ kind: 'paragraph', content })
/** A heading; level 1 is the title. */
export const heading = (level: number, ...content: Inline[]): Block => ({ kind: 'heading', level, content })
/** Bold text. */
export const strong = (...content: Inline[]): Inline => ({ kind: 'strong', content })
/** Italic text. */
export const emphasis = (...content: Inline[]): Inline => ({ kind: 'emphasis', content })
/** Raised text. */
export const superscript = (...content: Inline[]): Inline => ({ kind: 'superscript', content })
/** A line break within a block. */
export const lineBreak: Inline = { kind: 'break' }

/** Joins inline content with a separator. */
export const joined = (pieces: readonly Inline[][], between: Inline): Inline[] =>
  pieces.flatMap((piece, at) => at === 0 ? piece : [between, ...piece])

/** The text without markup. */
export function textOf (content: readonly Inline[]): string {
  return content.map(each => {
    if (typeof each === 'string') return each
    if (each.kind === 'break') return ' '
    if (each.kind === 'math') return each.latex
    return each.kind === 'code' ? each.text : textOf(each.content)
  }).join('')
}

/** Removes leading line breaks. */
export function withoutLeadingBreaks (content: readonly Inline[]): Inline[] {
  const start = content.findIndex(each => typeof each === 'string' ? /\S/.test(each) : each.kind !== 'break')
  return start === -1 ? [] : content.slice(start)
}

/** Whether inline content has no visible text. */
export const isBlank = (content: readonly Inline[]): boolean => !/\S/.test(textOf(content))

/** A paragraph; no block for blank content. */
export const paragraphOf = (content: Inline[]): Block[] => isBlank(content) ? [] : [paragraph(...content)]
