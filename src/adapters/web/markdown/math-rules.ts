import type { MarkdownIt } from 'markdown-it'

/** Maximum number of lines of a formula. */
const maxLines = 200

/**
 * Parses formulas: `$…$` inline, `$$…$$` inline or as a block. The tokens are `math`, with LaTeX as content; `block` marks display
 * formulas.
 */
export function mathRules (markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', (state, silent) => {
    const { src, pos } = state
    if (src[pos] !== '$') return false
    const mark = src[pos + 1] === '$' ? '$$' : '$'
    const from = pos + mark.length
    const end = endOf(src, from, state.posMax)
    const latex = end === -1 ? '' : src.slice(from, end)
    // Prices are not formulas: "$5 and $10".
    const isPrice = /\d/.test(src[end + 1] ?? '') && !/[\\^_{]/.test(latex)
    const isInline = !/^\s|\s$/.test(latex) && !isPrice
    const isFormula = latex.trim() !== '' && src.startsWith(mark, end) && (mark === '$$' || isInline)
    if (!isFormula) {
      if (!silent) state.pending += mark
      state.pos += mark.length
      return true
    }
    if (!silent) {
      const token = state.push('math', 'math', 0)
      token.content = latex.trim()
      token.markup = mark
    }
    state.pos = end + mark.length
    return true
  })

  markdown.block.ruler.before('fence', 'math_block', (state, startLine, endLine, silent) => {
    const line = (at: number) => state.src.slice(state.bMarks[at]! + state.tShift[at]!, state.eMarks[at]!)
    const first = line(startLine)
    if (!first.startsWith('$$') || state.sCount[startLine]! - state.blkIndent >= 4) return false
    const rest = first.slice(2).trim()
    const whole = rest.length > 2 && rest.endsWith('$$') ? rest.slice(0, -2) : undefined
    const lines = [rest]
    let at = startLine
    if (whole === undefined) {
      for (;;) {
        at++
        if (at >= endLine || at - startLine > maxLines || state.sCount[at]! < state.blkIndent) return false
        const text = line(at).trim()
        if (text === '') return false
        if (text.endsWith('$$')) {
          lines.push(text.slice(0, -2))
          break
        }
        lines.push(text)
      }
    }
    const latex = (whole ?? lines.join('\n')).trim()
    if (latex === '' || latex.includes('$$')) return false
    if (silent) return true
    const token = state.push('math', 'math', 0)
    token.block = true
    token.content = latex
    token.map = [startLine, at + 1]
    state.line = at + 1
    return true
  }, { alt: ['paragraph', 'reference', 'blockquote', 'list'] })
}

/** Index of the next unescaped dollar sign, or -1. */
function endOf (text: string, from: number, to: number): number {
  for (let at = from; at < to; at++) {
    const character = text.charCodeAt(at)
    if (character === 92) at++
    else if (character === 36) return at
  }
  return -1
}
