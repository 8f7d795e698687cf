import type { Block, TextBlock } from './block.js'
import type { Joiner } from './hyphenation.js'

const sentenceEnd = /[.!?:]["”’)\]]?( ?\[?\d[\d,–-]*\]?)?$/
/** Words that no sentence ends with. */
const goingOn = /[,;-]$|\b(the|of|and|in|to|a|for|with|by|from|that|is|are|was|were|as|on|at|an|or|which|than|between|into|their|its|this|these)$/

/** Pages that a paragraph's parts are apart at most. */
const mostPagesApart = 1

/** Joins paragraphs that go on in the next column or on the next page; what stands between their parts in other styles (tables, captions, notes, labels of figures) comes after them. */
export function withContinuations (blocks: Block[], join: Joiner): Block[] {
  const whole: Block[] = []
  for (const block of blocks) {
    const before = block.kind === 'paragraph' && !block.indented ? lastInStyle(whole, block) : undefined
    if (before !== undefined && goesOn(before, block as TextBlock)) {
      const { text, lines, full } = block as TextBlock
      before.text = join(before.text, text)
      before.lines = [...before.lines, ...lines]
      before.full = full
    } else whole.push(block)
  }
  return whole
}

/** The last paragraph that ends in the style that another begins with, if no heading stands between. */
function lastInStyle (blocks: Block[], { style, page }: TextBlock): TextBlock | undefined {
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at]!
    if (block.kind === 'table' || block.kind === 'caption') continue
    if (block.kind !== 'paragraph') return undefined
    const last = block.lines.at(-1)!
    if (last.style === style) return page - last.page <= mostPagesApart ? block : undefined
  }
  return undefined
}

function goesOn (before: TextBlock, block: TextBlock): boolean {
  if (sentenceEnd.test(before.text)) return false
  return /^[\p{Ll}(]/u.test(block.text) || (/^[\d[“"\p{Lu}]/u.test(block.text) && (goingOn.test(before.text) || before.full))
}
