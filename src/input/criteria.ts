/** Words that leave something out, in sentences and in headings. */
const excluding =
  '(?<![-\\p{L}]|not\\s)(?:exclud(?:e|es|ed|ing)|(?:(?:do|will|should|must)\\s+not|don[’\']t)\\s+(?:include|want|show)|' +
  'not\\s+(?:(?:to\\s+)?(?:be\\s+)?(?:included|wanted|shown|considered)|interested\\s+in|looking\\s+for|of\\s+interest|relevant))' +
  '(?![-\\p{L}])|排除|不包括|不含|除外'
const subject = '(?:(?:we|i)\\s+(?:(?:will|would|am|are)\\s+)?|i[’\']m\\s+|please\\s+|also\\s+)*'
const unwanted = new RegExp(
  `^(?:${subject}(?:${excluding})|(?:(?:we|i|please)\\s+)*(?:without|not(?!\\s+(?:only|just|all|every)(?!\\p{L})))(?![-\\p{L}]))`, 'iu'
)
/** Whether a sentence says what is not wanted. NOT gates and sentences that begin with "not only" are wanted. */
const isUnwanted = (sentence: string) => !sentence.startsWith('NOT ') && unwanted.test(sentence)
const including = '(?:(?:we|i|please)\\s+)?includ(?:e|es|ed|ing)|' +
  '(?:we|i)\\s+(?:(?:want|would\\s+like|wish|need)(?:\\s+to)?\\s+)?(?:study|follow|find|read|investigate|look\\s+for|search\\s+for|' +
  '(?:am|are)\\s+interested\\s+in|want|need)'
/** Words before the topic of a criterion. */
const opening = new RegExp(`^(?:${including})\\s+`, 'iu')

const except = '(?:(?:but\\s+)?excluding|except(?:\\s+for)?|but\\s+not|other\\s+than|not\\s+including|(?:and|but)\\s+(?:we\\s+)?exclude)'
/** After these words, "in" and "for" say more of what is left out: "except studies in mice". */
const described =
  '(?:stud(?:y|ies)|trials?|reports?|reviews?|papers?|articles?|models?|those|ones|patients|participants|people|women|men|children|adults)'
const resuming = '(?:for|in(?!\\s+(?:vitro|vivo|silico|situ)(?!\\p{L}))|among|during)'
const exceptedWord = `(?!${resuming}\\s|with\\s|of\\s|on\\s|to\\s)[^\\s,;]+`
/**
 * Text that a sentence leaves out of its subject: in parentheses, a few words before "for" or "in" (interventions other than surgery for
 * back pain), and after a comma everything that the next comma does not lead back to the subject (statins, excluding rosuvastatin, for
 * stroke).
 */
const exception = new RegExp(
  `\\s?[(（[]\\s?${except}\\s[^)）\\]]*(?:[)）\\]]|$)|` +
    `\\s${except}\\s+${exceptedWord}(?:\\s+${exceptedWord}){0,2}?(?<!(?<!\\p{L})${described})(?=\\s+${resuming}\\s)|` +
    `[,;\\s]{1,3}${except}\\s(?:.*?(?=,\\s+${resuming}\\s)|.*)`,
  'gisu'
)

/** The mark of an item in a list, such as "-", "2." or "(b)"; "E." may begin "E. coli". */
const listMark = /^(?:[-*•–—·]|\(?(?:\d{1,2}[.)]|[a-z]\)))\s+/iu
const maxHeadingLength = 100
const besideHeading =
  'key|main|major|primary|other|additional|further|general|specific|study|trial|review|participants?|patients?|our|this|the|these|those|' +
  'all|any|of|for|following|as|follows|are|is|were|will|be|if|when|that|which|studies|papers|articles|publications|things|topics'
const headingOf = (words: string) =>
  new RegExp(`^(?:(?:${besideHeading})\\s+)*(?:主要)?(?:${words})(?:标准|標準)?(?:\\s+(?:${besideHeading}))*$`, 'iu')
const inclusionCriteria = '(?:inclusion|eligibility|selection)(?:\\s*(?:and|or|&|/)\\s*exclusion)?\\s+criteri(?:a|on)|' +
  'criteri(?:a|on)\\s+for\\s+inclusion'
const exclusionCriteria = '(?<!(?:and|or|&|/)\\s*)exclusion\\s+criteri(?:a|on)|criteri(?:a|on)\\s+for\\s+exclusion'
const inclusionHeading = headingOf(`${inclusionCriteria}|criteri(?:a|on)|inclusions?|${including}|纳入|納入|入选`)
const exclusionHeading = headingOf(`${exclusionCriteria}|exclusions?|${subject}(?:${excluding})`)
/** The introduction of a list may have any other words: "Criteria for exclusion from both reviews:". */
const introducesWanted = new RegExp(inclusionCriteria, 'iu')
const introducesUnwanted = new RegExp(`${exclusionCriteria}|${excluding}`, 'iu')
/** A subject before what a list leaves out of it: "Statins in adults, except:". */
const introducedException = new RegExp(`^(?<subject>.*?)[,;(\\s]{1,3}${except}(?:\\s+(?:${besideHeading}))*$`, 'isu')
/** Text that an exclusion keeps: "Exclude everything except statins", or all that a list below "Exclude studies other than:" names. */
const kept = '(?:except(?:ing)?(?:\\s+for)?|other\\s+than|apart\\s+from|but)'
const keptOfAll = new RegExp(
  `^${subject}(?:${excluding})\\s+(?:everything|anything|all(?:\\s+(?:other|papers?|studies|articles?|publications?|topics|things))*)` +
    `(?:\\s+else)?,?\\s+\\(?${kept}\\s*[:：]?\\s+(?<text>.+)$`, 'isu'
)
const introducedKept = new RegExp(`^(?<excluded>.*?)[,;(\\s]{1,3}${kept}(?:\\s+(?:${besideHeading}|about|on|in|with))*$`, 'isu')
/**
 * Ends of sentences. "Exclude:" begins one wherever it is written like a heading or in parentheses: "Sleep, exclude: animals". A match
 * begins at the first space of several, since trying each of them takes time that grows with the square of their number.
 */
const boundary = /(?<=[.!?;])\s+|(?<=[。！？；])|(?<!\s)\s+(?=Exclud(?:e|ing)\s?:)|(?<!\s)\s*[,(–—]\s*(?=exclud(?:e|ing)\s?:)/

/**
 * The criteria of an interest, which are sentences or lines: those that say what is wanted, unless none does. A sentence that begins with
 * exclude, without, not or do not include names what is unwanted, and so do the criteria under a heading such as "Exclusion criteria" or
 * in a list that such a sentence introduces, unless it ends with "except".
 */
export function wantedCriteria (description: string): string[] {
  const criteria = readCriteria(description)
  const wanted = criteria.filter(({ isWanted }) => isWanted).map(({ text }) => text.replace(exception, '').trim())
    .filter(text => text !== '')
  return (wanted.length > 0 ? wanted : criteria.map(({ text }) => text)).map(text => text.replace(opening, ''))
}

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
}

/** The criteria in their order, without marks of lists and without headings. */
function readCriteria (description: string): Array<{ text: string, isWanted: boolean }> {
  const criteria: Array<{ text: string, isWanted: boolean }> = []
  let section: Section | undefined
  const add = (text: string) => {
    if (text !== '') criteria.push({ text, isWanted: (section?.isWanted ?? true) && !isUnwanted(text) })
  }
  for (const written of description.split('\n')) {
    const line = written.trim()
    if (line === '') {
      if (section !== undefined && criteria.length > section.from) section = { ...section, hasListOnly: true }
      continue
    }
    const text = line.replace(listMark, '')
    const isItem = text !== line
    const indent = written.search(/\S/u)
    section = continuedBy(section, { indent, isItem })
    const item = isItem ? { indent, section } : undefined
    for (const part of text.split(boundary)) {
      const heading = readHeading(part.trim())
      add(heading?.subject ?? '')
      if (heading !== undefined) {
        const { isWanted } = heading
        const hasText = heading.text !== ''
        section = { isWanted, from: criteria.length, hasListOnly: hasText, item, isItemOnly: isItem && hasText }
      }
      add(heading?.text ?? part.trim())
    }
  }
  return criteria
}

/** The section of the line after those of a section. */
function continuedBy (section: Section | undefined, line: { indent: number, isItem: boolean }): Section | undefined {
  if (section?.item !== undefined && line.indent > section.item.indent) return { ...section, isItemOnly: true }
  if (section?.isItemOnly === true) return continuedBy(section.item?.section, line)
  return section?.hasListOnly === true && !line.isItem ? undefined : section
}

/** A heading of criteria, with the text that follows it and what it says before. @returns undefined if the sentence is none */
function readHeading (sentence: string): { isWanted: boolean, subject?: string | undefined, text: string } | undefined {
  const { text: keptText } = keptOfAll.exec(sentence)?.groups ?? {}
  if (keptText !== undefined && !/[:：]$/u.test(keptText)) return { isWanted: true, text: keptText }
  const colon = sentence.search(/[:：]/u)
  const end = colon === -1 ? sentence.length : colon
  if (end > maxHeadingLength) return undefined
  const label = sentence.slice(0, end).replace(/^[#*_\s]+|[#*_\s]+$/gu, '')
  const text = sentence.slice(end + 1).replace(/^[*_\s]+/u, '')
  if (colon !== -1 && text === '') {
    const { excluded = '' } = introducedKept.exec(label)?.groups ?? {}
    if (isUnwanted(excluded) || introducesUnwanted.test(excluded)) return { isWanted: true, text }
    if (isUnwanted(label)) return { isWanted: false, text }
    const { subject } = introducedException.exec(label)?.groups ?? {}
    if (subject !== undefined || introducesUnwanted.test(label)) return { isWanted: false, subject, text }
    if (introducesWanted.test(label)) return { isWanted: true, text }
  }
  if (exclusionHeading.test(label)) return { isWanted: false, text }
  return inclusionHeading.test(label) ? { isWanted: true, text } : undefined
}
