import type { Block, TextBlock } from './block.js'
import type { Joiner } from './hyphenation.js'

const sentenceEnd = /[.!?:]["”’)\]]?(\[?\d[\d,–-]*\]?)?$/
/** Words that no sentence ends with. */
const goingOn = /[,;-]$|\b(the|of|and|in|to|a|for|with|by|from|that|is|are|was|were|as|on|at|an|or|which|than|between|into|their|its|this|these)$/

/** Joins paragraphs that go on in the next column or on the next page; tables and captions between their parts come after them. */
export function withContinuations (blocks: Block[], join: Joiner): Block[] {
  const whole: Block[] = []
  for (const block of blocks) {
    const before = block.kind === 'paragraph' && !block.indented ? lastText(whole) : undefined
    if (before?.kind === 'paragraph' && goesOn(before, block as TextBlock)) {
      const { text, lines, full } = block as TextBlock
      before.text = join(before.text, text)
      before.lines = [...before.lines, ...lines]
      before.full = full
    } else whole.push(block)
  }
  return whole
}

const lastText = (blocks: Block[]) => blocks.findLast((block): block is TextBlock => block.kind !== 'table' && block.kind !== 'caption')

function goesOn (before: TextBlock, block: TextBlock): boolean {
  if (block.style !== before.lines.at(-1)!.style || sentenceEnd.test(before.text)) return false
  return /^[\p{Ll}(]/u.test(block.text) || (/^[\d[“"\p{Lu}]/u.test(block.text) && (goingOn.test(before.text) || before.full))
}
