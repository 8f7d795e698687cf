import type { Block, Inline } from './document.js'

const longest = 20_000

/**
 * The formula alone out of what articles give as TeX: a whole document, dollars, display environments' brackets. On one line, so that it can stand
 * in a paragraph; '' for one that is too long to be a formula.
 */
export function bareLatex (given: string): string {
  const body = /\\begin\{document\}([^]*?)(?:\\end\{document\}|$)/.exec(given)?.[1] ?? given
  if (body.length > longest) return ''
  const line = body.replace(/(?<!\\)%[^\n]*(?:\n|$)/g, ' ').replace(/\s+/g, ' ').trim()
  const inner = line.replace(/^(?:\$\$?|\\\[|\\\()\s*/, '').replace(/(?<!\\)(?:\$\$?|\\\]|\\\))$/, '').trim()
  // Dollars within would end the formula in Markdown.
  return inner.replace(/(?<!\\)\$/g, '').trim()
}

/** A formula within a line; nothing for an empty one. */
export const inlineFormula = (latex: string): Inline[] => latex === '' ? [] : [{ kind: 'math', latex }]

/** A formula that stands alone, with its number. */
export function displayFormula (latex: string, label = ''): Block {
  const number = label.trim().replace(/^\((.*)\)$/, '$1').replace(/[{}\\$]/g, '')
  return { kind: 'math', latex: number === '' || latex === '' || latex.includes('\\tag') ? latex : `${latex} \\tag{${number}}` }
}
