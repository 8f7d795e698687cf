import { createHash } from 'node:crypto'
import { createYielder } from '../../threads/yielder.js'
import { readBlocks } from './blocks.js'

/** Characters that determine an anchor. They extend past a short block, so that equal headings differ. */
export const anchoredChars = 240
/** Minimum length of a paragraph with an anchor. */
const minPassageChars = 200
const startChars = 48

/** A paragraph that can be linked to. */
export interface Passage {
  /** Fragment of the address of the paper's page. */
  anchor: string
  /** The first words of the paragraph. */
  starts: string
}

/**
 * Returns the anchor of the block at an offset. The anchor depends only on the words there, so it is stable across divisions and
 * conversions of the text.
 */
export function anchorAt (text: string, offset: number): string {
  const words = text.slice(offset, offset + anchoredChars).replace(/\s+/g, ' ').trim()
  return `p-${createHash('sha256').update(words).digest('hex').slice(0, 10)}`
}

/** The offset and anchor of each block of a text. */
export function * anchorsIn (text: string): Generator<{ offset: number, anchor: string }> {
  for (const { start } of readBlocks(text)) yield { offset: start, anchor: anchorAt(text, start) }
}

/**
 * The longer paragraphs of a passage, with anchors, read in time slices.
 * @param text with `anchoredChars` after the passage, unless it ends before @param start offset of the passage in it @param end of its end
 */
export async function passagesIn (text: string, start: number, end: number): Promise<Passage[]> {
  const part = text.slice(start, end)
  const passages: Passage[] = []
  const yieldIfDue = createYielder()
  for (const block of readBlocks(part)) {
    // A million characters can have 300,000 blocks: as many promises would be garbage.
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
    if (block.level > 0 || block.end - block.start < minPassageChars) continue
    passages.push({
      anchor: anchorAt(text, start + block.start),
      starts: firstWords(part.slice(block.start, block.start + 2 * startChars))
    })
  }
  return passages
}

function firstWords (text: string): string {
  const words = text.replace(/\s+/g, ' ').trim()
  return words.length <= startChars ? words : words.slice(0, startChars).replace(/\s+\S*$/, '').toWellFormed()
}
