import type { Block, TextBlock } from './block.js'
import type { Joiner } from './hyphenation.js'

const sentenceEnd = /[.!?:。！？：؟।]["”’)\]」』）]?( ?\[?\d[\d,–-]*\]?)?$/
/** Words and punctuation that cannot end a sentence. */
const openEnd =
  /[,;-]$|\b(the|of|and|in|to|a|for|with|by|from|that|is|are|was|were|as|on|at|an|or|which|than|between|into|their|its|this|these)$/

const maxPagesApart = 1

/**
 * Joins paragraphs that continue in the next column or on the next page.
 * Blocks of other styles between the parts (tables, captions, footnotes, figure labels) follow the joined paragraph.
 */
export function joinContinuations (blocks: Block[], join: Joiner): Block[] {
  const joined: Block[] = []
  for (const block of blocks) {
    const part = block.kind === 'paragraph' && !block.indented ? block : undefined
    const before = part && findLastInStyle(joined, part)
    if (part !== undefined && before !== undefined && continues(before, part)) {
      before.text = join(before.text, part.text)
      before.lines = [...before.lines, ...part.lines]
      before.reachesRightEdge = part.reachesRightEdge
    } else joined.push(block)
  }
  return joined
}

/** Finds the last paragraph that ends in the style of the block. A heading stops the search. */
function findLastInStyle (blocks: Block[], { style, page }: TextBlock): TextBlock | undefined {
  for (let at = blocks.length - 1; at >= 0; at--) {
    const block = blocks[at]!
    if (block.kind === 'table' || block.kind === 'caption') continue
    if (block.kind !== 'paragraph') return undefined
    const last = block.lines.at(-1)!
    if (last.style === style) return page - last.page <= maxPagesApart ? block : undefined
  }
  return undefined
}

function continues (before: TextBlock, block: TextBlock): boolean {
  if (sentenceEnd.test(before.text)) return false
  if (/^[\p{Ll}(]/u.test(block.text)) return true
  return /^[\d[“"\p{Lu}\p{Lo}]/u.test(block.text) && (openEnd.test(before.text) || before.reachesRightEdge)
}
