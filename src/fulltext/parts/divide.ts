import type { TextDivision } from '../../../db/queries/markdown.js'
import type { TextSection } from '../../../schemas/markdown.js'
import { createYielder } from '../../threads/yielder.js'
import { maxPartCharacters } from '../limits.js'
import { readBlocks } from './blocks.js'
import { plainTitle } from './title.js'

/** Later headings belong to the last section: an outline is read whole. */
const maxSections = 300

/**
 * Reads the outline of a Markdown text, and divides it into parts of whole blocks, in time slices.
 * @param maxChars longest part; one long block may exceed it
 */
export async function divideText (text: string, maxChars = maxPartCharacters): Promise<TextDivision> {
  const partStarts = [0]
  const headings: Heading[] = []
  const yieldIfDue = createYielder()
  for (const { start, end, level } of readBlocks(text)) {
    const part = partStarts.at(-1)!
    if (start > part && end - part > maxChars) partStarts.push(start)
    if (level > 0 && headings.length < maxSections) {
      headings.push({ level, title: plainTitle(text.slice(start, Math.min(end, start + 1000))).toWellFormed(), offset: start })
    }
    // A million characters can have 300,000 blocks: as many promises would be garbage.
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  const isBegun = (headings[0]?.offset ?? text.length) > 0
  if (isBegun) headings.unshift({ level: 1, title: 'Beginning', offset: 0 })
  return { partStarts, sections: sectionsOf(headings, text.length, isBegun) }
}

type Heading = Pick<TextSection, 'level' | 'title' | 'offset'>

/** Adds numbers and lengths. A heading above all others, which is the title, ends at the next one. */
function sectionsOf (headings: readonly Heading[], total: number, isBegun: boolean): TextSection[] {
  const sections = headings.map((heading, at) => ({ number: at + 1, ...heading, chars: total - heading.offset }))
  const open: TextSection[] = []
  for (const section of sections) {
    while (open.length > 0 && open.at(-1)!.level >= section.level) close(open.pop()!, section.offset)
    open.push(section)
  }
  const [front, ...others] = sections
  const isFrontMatter = isBegun || others.every(({ level }) => level > front!.level)
  if (front !== undefined && others[0] !== undefined && isFrontMatter) close(front, others[0].offset)
  return sections
}

const close = (section: TextSection, end: number) => { section.chars = end - section.offset }
