import type { Block, Inline } from './document.js'

const maxFormulaCharacters = 20_000

/**
 * Extracts the formula from an article's TeX: removes document preambles, dollars and brackets of display formulas. Returns one line, which
 * fits in a paragraph, or '' if the text is too long for a formula.
 */
export function bareLatex (tex: string): string {
  const body = /\\begin\{document\}([^]*?)(?:\\end\{document\}|$)/.exec(tex)?.[1] ?? tex
  if (body.length > maxFormulaCharacters) return ''
  const line = body.replace(/(?<!\\)%[^\n]*(?:\n|$)/g, ' ').replace(/\s+/g, ' ').trim()
  const inner = line.replace(/^(?:\$\$?|\\\[|\\\()\s*/, '').replace(/(?<!\\)(?:\$\$?|\\\]|\\\))$/, '').trim()
  // Dollars inside would end the formula in Markdown, and a backslash that lost its space at the end would keep it from ending.
  return inner.replace(/(?<!\\)\$/g, '').trim().replace(/(?<!\\)((?:\\\\)*)\\$/, '$1').trim()
}

/** Bars in the columns of an array and in text are no signs of mathematics. A line break may precede a bar. */
const bars = /\\begin\{(?:array|tabular)\}\{[^}]*\}|\\(?:text\w*|mbox)\{[^}]*\}|\\?\||\\[^]/g
const barCommands: Readonly<Record<string, string>> = { '|': '\\vert', '\\|': '\\Vert' }

/** Names bars by their commands, since a bar ends a cell of a table: "|x|" becomes "\vert x\vert". */
export const nameBars = (latex: string): string => latex.replace(bars, (found, at: number) => {
  const command = barCommands[found]
  return command === undefined ? found : /[A-Za-z]/.test(latex.charAt(at + found.length)) ? `${command} ` : command
})

/** An inline formula; empty for empty LaTeX. */
export const inlineFormula = (latex: string): Inline[] => latex === '' ? [] : [{ kind: 'math', latex }]

/** A display formula with its number. */
export function displayFormula (latex: string, label = ''): Block {
  const number = label.trim().replace(/^\((.*)\)$/, '$1').replace(/[{}\\$]/g, '')
  return { kind: 'math', latex: number === '' || latex === '' || latex.includes('\\tag') ? latex : `${latex} \\tag{${number}}` }
}
