import type { Block } from './layout/block.js'

/** Renders blocks as GitHub Flavored Markdown. */
export function render (blocks: Block[]): string {
  return blocks.map(rendered).filter(text => text !== '').join('\n\n') + '\n'
}

function rendered (block: Block): string {
  switch (block.kind) {
    case 'table': return table(block.rows)
    case 'heading': return `${'#'.repeat(block.level ?? 2)} ${inline(block.text)}`
    case 'reference': return `- ${inline(block.text)}`
    default: return atLineStart(inline(block.text))
  }
}

/** Escapes inline Markdown syntax. */
const inline = (text: string) =>
  text
    .replace(/[\\`*_]|<(?=[a-z/!])|\[(?=[^\]]*\]\()/gi, character => `\\${character}`)
    .replace(/\s+/g, ' ')
    .trim()

/** Escapes block Markdown syntax at the start of a line: headings, quotes, lists and rules. */
const atLineStart = (text: string) => text.replace(/^([#>+-]|=+$)/, '\\$1').replace(/^(\d{1,9})([.)])(?=\s)/, '$1\\$2')

function table (rows: string[][]): string {
  const width = Math.max(...rows.map(({ length }) => length))
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = rows.map(row => line(Array.from({ length: width }, (_, at) => inline(row[at] ?? '').replaceAll('|', '\\|'))))
  return [lines[0], line(Array.from({ length: width }, () => '---')), ...lines.slice(1)].join('\n')
}
