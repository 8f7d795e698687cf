import { LRUCache } from 'lru-cache'
import { timeSlices } from '../../threads/time-slice.js'
import { readBlocks } from './blocks.js'
import { plainTitle } from './title.js'

/** A section of a text, as the outline lists it. */
export interface Section {
  /** 1 for the first. */
  number: number
  /** Level of its heading, 1 to 6. */
  level: number
  title: string
  /** Where it begins, in UTF-16 code units. */
  offset: number
  /** Its length including subsections; the title of the paper has none. */
  chars: number
}

/** The blocks and sections of a text. */
export interface Structure {
  /** Offsets at which blocks begin, in order. */
  starts: number[]
  sections: Section[]
}

/** Later headings belong to the last section: an outline is read whole. */
const maxSections = 300

/** Of texts that are read part by part. */
const structures = new LRUCache<string, Structure>({ maxSize: 1_000_000, sizeCalculation: ({ starts }) => starts.length + maxSections })

/** The structure of a text, which is kept for the next part. @param version identifies the text */
export async function structureOf (text: string, version: string): Promise<Structure> {
  const known = structures.get(version)
  if (known !== undefined) return known
  const structure = await readStructure(text)
  structures.set(version, structure)
  return structure
}

/** Reads the blocks and the outline of a Markdown text, in time slices. */
export async function readStructure (text: string): Promise<Structure> {
  const starts: number[] = []
  const headings: Array<Pick<Section, 'level' | 'title' | 'offset'>> = []
  const endOfSlice = timeSlices()
  for (const { start, end, level } of readBlocks(text)) {
    starts.push(start)
    if (level > 0 && headings.length < maxSections) {
      headings.push({ level, title: plainTitle(text.slice(start, Math.min(end, start + 1000))), offset: start })
    }
    // A million characters can have 300,000 blocks: as many promises would be garbage.
    const pause = endOfSlice()
    if (pause !== undefined) await pause
  }
  const isBegun = (headings[0]?.offset ?? text.length) > 0
  if (isBegun) headings.unshift({ level: 1, title: 'Beginning', offset: 0 })
  return { starts, sections: sectionsOf(headings, text.length, isBegun) }
}

/** Adds numbers and lengths. A heading above all others, which is the title, ends at the next one. */
function sectionsOf (headings: ReadonlyArray<Pick<Section, 'level' | 'title' | 'offset'>>, total: number, isBegun: boolean): Section[] {
  const sections = headings.map((heading, at) => ({ number: at + 1, ...heading, chars: total - heading.offset }))
  const open: Section[] = []
  for (const section of sections) {
    while (open.length > 0 && open.at(-1)!.level >= section.level) close(open.pop()!, section.offset)
    open.push(section)
  }
  const [front, ...others] = sections
  const isFrontMatter = isBegun || others.every(({ level }) => level > front!.level)
  if (front !== undefined && others[0] !== undefined && isFrontMatter) close(front, others[0].offset)
  return sections
}

const close = (section: Section, end: number) => { section.chars = end - section.offset }
