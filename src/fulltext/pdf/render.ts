import { escapeLineStart, escapeText } from '../markdown/escape.js'
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
    default: return block.text.split('\n').map(line => escapeLineStart(inline(line))).join('\\\n')
  }
}

/** One line of Markdown that shows a text. */
const inline = (text: string) => escapeText(text.replace(/\s+/g, ' ').trim(), '', '')

function table (rows: string[][]): string {
  const width = Math.max(...rows.map(({ length }) => length))
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`
  const lines = rows.map(row => line(Array.from({ length: width }, (_, at) => inline(row[at] ?? '').replaceAll('|', '\\|'))))
  return [lines[0], line(Array.from({ length: width }, () => '---')), ...lines.slice(1)].join('\n')
}
