import { NotConvertible } from '../converter-result.js'
import { maxMarkdownCharacters } from '../limits.js'
import type { Block, Inline } from './document.js'
import { escapeLineStart } from './escape.js'
import { controlCharacters, longestRun, writeInline } from './inline.js'
import { writeTable } from './table.js'

/** Maximum depth of nested lists and quotations, since each line repeats all their indents. */
const maxNestingDepth = 12

/** Writes a document as Markdown: CommonMark with pipe tables, and formulas between dollars. @throws NotConvertible if it is too long */
export function writeMarkdown (blocks: readonly Block[]): string {
  const markdown = writeBlocks(blocks, 0)
  if (markdown.length > maxMarkdownCharacters) throw new NotConvertible('too_large', 'The text of the document is longer than 64 MB.')
  return markdown === '' ? '' : `${markdown}\n`
}

function writeBlocks (blocks: readonly Block[], depth: number, between = '\n\n'): string {
  const written: string[] = []
  let previous: Block | undefined
  let alternatesMarker = false
  for (const block of blocks) {
    // Consecutive lists alternate their markers; otherwise Markdown joins them.
    alternatesMarker = block.kind === 'list' && previous?.kind === 'list' && previous.ordered === block.ordered && !alternatesMarker
    const text = writeBlock(block, depth, alternatesMarker)
    if (text === '') continue
    written.push(text)
    previous = block
  }
  return written.join(between)
}

function writeBlock (block: Block, depth: number, alternatesMarker: boolean): string {
  switch (block.kind) {
    case 'heading':
      return writeHeading(block.level, block.content)
    case 'paragraph':
      return writeParagraph(block.content)
    case 'list':
      return writeList(block, depth, alternatesMarker)
    case 'quote':
      return depth >= maxNestingDepth
        ? writeBlocks(block.content, depth)
        : writeBlocks(block.content, depth + 1).replace(/^(?=(.?))/gm, (_, next) => next === '' ? '>' : '> ')
    case 'code':
      return writeCode(block.text)
    case 'math':
      return block.latex === '' ? '' : `$$\n${block.latex}\n$$`
    case 'table':
      return writeTable(block) ?? '(The table is too large to be shown.)'
  }
}

function writeHeading (level: number, content: Inline[]): string {
  const text = writeInline(content).trim().replaceAll('\n', ' ').replace(/(?<=\s|^)#{1,6}$/, '\\$&')
  return text === '' ? '' : `${'#'.repeat(Math.min(Math.max(level, 1), 6))} ${text}`
}

const writeParagraph = (content: Inline[]): string => writeInline(content).trim().split('\n').map(escapeLineStart).join('\\\n')

function writeList ({ ordered, start = 1, items }: Extract<Block, { kind: 'list' }>, depth: number, alternatesMarker: boolean): string {
  const loose = items.some(item => item.some((block, at) => at > 0 && block.kind !== 'list'))
  const within = loose ? '\n\n' : '\n'
  if (depth >= maxNestingDepth) return items.map(item => writeBlocks(item, depth, within)).filter(text => text !== '').join('\n\n')
  const written = items.map(item => writeBlocks(item, depth + 1, within)).filter(text => text !== '')
  return written.map((text, at) => {
    const mark = ordered ? `${start + at}${alternatesMarker ? ')' : '.'} ` : alternatesMarker ? '* ' : '- '
    return mark + text.replace(/\n(?=[^\n])/g, `\n${' '.repeat(mark.length)}`)
  }).join(within)
}

function writeCode (text: string): string {
  const code = text.toWellFormed().replace(controlCharacters, '').replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()
  const fence = '`'.repeat(Math.max(3, longestRun(code) + 1))
  return code === '' ? '' : `${fence}\n${code}\n${fence}`
}
