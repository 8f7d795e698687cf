import { headingLevel, maxHeadingLevel, opening, readHeading } from './headings.js'
import { withoutFields, withoutNegatedGroups } from './boolean-queries.js'
import { readExceptions } from './exceptions.js'
import { mayLeaveOutByNo, wantedPart } from './unwanted-sentences.js'

/** The mark of an item in a list, such as "-", "2." or "(b)"; "E." may begin "E. coli". */
const listMark = /^(?:[-*•–—·]|\(?(?:\d{1,2}[.)]|[a-z]\)))\s+/iu
const label = '(?:Exclud(?:e|ing)|Exclusions?|Exclusion criteria|Avoid|Ignore|Omit|Skip|Out of scope|Not relevant|Not of interest|' +
  'Not interested in)'
/** Words with a full stop that ends no sentence, some unless a capital follows: "e.g. mice", "S. aureus", "Smith et al. on sleep". */
const abbreviation = '(?<![\\p{L}.])(?:(?:e\\.g|i\\.e|vs|cf|ca|approx|excl|incl|Dr|Prof)\\.(?=\\s)|' +
  '(?:al|etc|spp?|resp|\\p{Lu}(?:\\.\\p{Lu})*)\\.(?=\\s+\\p{Ll}))'
/**
 * Ends of sentences. "Exclude:" begins one wherever it is written like a heading or in parentheses: "Sleep, exclude: animals". A match
 * begins at the first space of several, since trying each of them takes time that grows with the square of their number.
 */
const boundary = new RegExp(
  `(?<=[.!?;])(?<!${abbreviation})\\s+|(?<=[。！？；])|(?<!\\s)\\s+(?=${label}\\s?:)|` +
    `(?<!\\s)\\s*[,(–—]\\s*(?=(?:${label}|${label.toLowerCase()})\\s?:)`, 'u'
)

/** Sentences of a description that are read one by one, far more than people write. The others are one more. */
const maxSentences = 300

/** Quotation marks that keyboards and text editors write instead of those of queries. */
const quotationMarks = /[“”„‟«»＂]/gu

/** Emphasis in Markdown. Its opening mark follows no word, as the mark of a truncated word does: "schizophren* OR cognit*". */
const emphasis = /(?<![\p{L}\p{N}\p{M}*)\]"])(\*{1,3})(?=[\p{L}\p{N}])([^*\n]{1,300})\1/gu

/**
 * The criteria of an interest, which are sentences or lines: those that say what is wanted, unless none does. A sentence that begins with
 * exclude, without, not or do not include names what is unwanted, and so do the criteria under a heading such as "Exclusion criteria" or
 * in a list that such a sentence introduces, unless it ends with "except".
 */
export const wantedCriteria = (description: string): readonly string[] => splitCriteria(description).wanted

/** The other criteria, and what the wanted ones leave out of their subject, with the words that say so: "Exclude mice and rats." */
export const unwantedTexts = (description: string): readonly UnwantedText[] => splitCriteria(description).unwanted

/** A text under a heading has no words of its own that exclude it: "- not randomised" is what studies lack. */
export interface UnwantedText { text: string, isUnderHeading: boolean }

interface SplitCriteria { wanted: string[], unwanted: UnwantedText[] }

/** The description that was read last: scoring asks for its wanted and unwanted criteria several times. */
let last: { description: string, split: SplitCriteria } = { description: '', split: { wanted: [], unwanted: [] } }

function splitCriteria (description: string): SplitCriteria {
  if (last.description !== description) last = { description, split: readDescription(description) }
  return last.split
}

function readDescription (description: string): SplitCriteria {
  const unwanted: UnwantedText[] = []
  const plain = withoutFields(description.replace(quotationMarks, '"').replace(emphasis, '$2'))
  const text = withoutNegatedGroups(plain, group => unwanted.push({ text: group, isUnderHeading: false }))
  const criteria = readCriteria(text)
  const split = splitByWanted(criteria)
  if (split.wanted.length > 0) return { ...split, unwanted: [...unwanted, ...split.unwanted] }
  // "Out of scope: reviews. I follow base editing."
  const afterHeadings = /[:：]/u.test(text) ? splitByWanted(readCriteria(text, { headingsEndWithSentence: true })) : split
  return afterHeadings.wanted.length > 0 ? afterHeadings : { wanted: criteria.map(({ text }) => withoutOpening(text)), unwanted: [] }
}

function splitByWanted (criteria: readonly Criterion[]): SplitCriteria {
  const wanted: string[] = []
  const unwanted: UnwantedText[] = []
  for (const { text, isWanted, isUnderHeading } of criteria) {
    const read = isWanted ? readExceptions(text) : { wanted: '', excluded: [text] }
    unwanted.push(...read.excluded.map(text => ({ text, isUnderHeading })))
    const plain = withoutOpening(withoutSectionLabel(read.wanted))
    if (plain !== '') wanted.push(plain)
  }
  return { wanted, unwanted }
}

/** Labels of the sections of a protocol or abstract, which name no subject. "Background radiation" has no colon. */
const sectionLabel = new RegExp(
  '^(?:(?:primary|secondary|main|overall|specific|review|research|study|systematic review) )*' +
    '(?:protocol|title|abstract|background|introduction|rationale|aims?|objectives?|purpose|questions?|methods?|keywords?)' +
    '(?: (?:and|&) (?:rationale|aims?|objectives?|purpose|methods?))?\\s*(?:[:：]\\s*|[.]?$)', 'iu'
)

/** The section on a review's search names databases instead of a subject. */
const searchLabel = /^(?:(?:electronic|literature) )*(?:search (?:strategy|methods|terms)|(?:information|data) sources|databases)\s*[:：]/iu

const withoutSectionLabel = (text: string): string => searchLabel.test(text) ? '' : text.replace(sectionLabel, '')

const withoutOpening = (text: string): string => text.replace(opening, '')

interface Criterion { text: string, isWanted: boolean, isUnderHeading: boolean }

/** A heading's statement about the lines below it: about all until an empty line, or about its list alone. */
interface Section {
  isWanted: boolean
  /** The number of criteria above it. */
  from: number
  hasListOnly: boolean
  /** Where it is the item of a list: how far it is indented, and the section of that list. */
  item: { indent: number, section: Section | undefined } | undefined
  /** Whether it ends with the next item of that list: the heading is followed by text, or by lines that are indented more. */
  isItemOnly: boolean
  /** Of a heading in Markdown. */
  level: number | undefined
  /** Whether it lasts until a heading of its level. */
  hasParagraphs: boolean
}

/** A label of its own: "Intervention: statins." */
const ownLabel = /^\p{Lu}[\p{L} ]{1,30}[:：]/u

/**
 * The criteria in their order, without marks of lists and without headings.
 * @param headingsEndWithSentence whether a heading with text after it is about that sentence alone, instead of the line
 */
function readCriteria (description: string, { headingsEndWithSentence = false } = {}): Criterion[] {
  const criteria: Criterion[] = []
  let section: Section | undefined
  const add = (text: string) => {
    if (text === '') return
    const isUnderHeading = section?.isWanted === false
    const wanted = isUnderHeading ? undefined : wantedPart(text)
    if (wanted !== text) criteria.push({ text, isWanted: false, isUnderHeading })
    if (wanted !== undefined) criteria.push({ text: wanted, isWanted: true, isUnderHeading })
  }
  const lines = firstOf(description.split('\n'), '\n')
  const isMarkdown = lines.filter(line => /^\s*#{1,6}\s/u.test(line)).length > 1
  for (const written of lines) {
    const line = written.trim()
    if (line === '') {
      if (section !== undefined && !section.hasParagraphs && criteria.length > section.from) section = { ...section, hasListOnly: true }
      continue
    }
    const text = line.replace(listMark, '')
    const isItem = text !== line
    const indent = written.search(/\S/u)
    const level = isItem ? undefined : headingLevel(line)
    section = level !== undefined && level <= (section?.level ?? maxHeadingLevel) ? undefined : continuedBy(section, { indent, isItem })
    if (section !== undefined && !section.hasListOnly && !section.hasParagraphs && isItem && criteria.length === section.from) {
      section = { ...section, hasListOnly: true }
    }
    const item = isItem ? { indent, section } : undefined
    let begun: Section | undefined
    for (const part of firstOf(text.split(boundary), ' ')) {
      const sentence = part.trim().replace(/\s+/gu, ' ')
      const heading = readHeading(sentence)
      if (heading === undefined && begun !== undefined && section === begun && ownLabel.test(sentence)) section = undefined
      add(heading?.subject ?? '')
      if (heading !== undefined) {
        const { isWanted } = heading
        const hasText = heading.text !== ''
        const hasParagraphs = isMarkdown && level !== undefined && level < maxHeadingLevel
        section = { isWanted, from: criteria.length, hasListOnly: hasText, item, isItemOnly: isItem && hasText, level, hasParagraphs }
        begun = hasText ? section : undefined
      }
      add(heading?.text ?? (level === undefined ? sentence : sentence.replace(/^#+\s/u, '')))
      if (headingsEndWithSentence && begun !== undefined && section === begun && /[.!?。！？]$/u.test(sentence)) section = undefined
    }
  }
  return withUndecided(criteria)
}

/** Pieces of a text up to the maximum, the last of which is the rest of the text. */
const firstOf = (pieces: string[], separator: string): string[] => pieces.length <= maxSentences
  ? pieces
  : [...pieces.slice(0, maxSentences), pieces.slice(maxSentences).join(separator).replaceAll('\n', ' ')]

/** "No machine learning." may be a name; in a row of sentences that begin with "no", one of which is an exclusion, it is none. */
function withUndecided (criteria: readonly Criterion[]): Criterion[] {
  const decided = [...criteria]
  let row: number[] = []
  const decide = () => {
    if (row.some(at => !criteria[at]!.isWanted)) for (const at of row) decided[at] = { ...criteria[at]!, isWanted: false }
    row = []
  }
  for (const [at, { text, isWanted }] of criteria.entries()) {
    if (!/^no\s/iu.test(text) || (isWanted && !mayLeaveOutByNo(text))) decide()
    else row.push(at)
  }
  decide()
  return decided
}

/** The section of the line after those of a section. */
function continuedBy (section: Section | undefined, line: { indent: number, isItem: boolean }): Section | undefined {
  if (section?.item !== undefined && line.indent > section.item.indent) return { ...section, isItemOnly: true }
  if (section?.isItemOnly === true) return continuedBy(section.item?.section, line)
  return section?.hasListOnly === true && !line.isItem ? undefined : section
}
