import { CaselessPattern } from './caseless-pattern.js'
import { except } from './exceptions.js'
import { excluding, isUnwanted, subject } from './unwanted-sentences.js'

const including = '(?:(?:we|i|please) )?includ(?:e|es|ed|ing)|' +
  '(?:we|i) (?:(?:want|would like|wish|need)(?: to)? )?(?:study|follow|find|read|investigate|look for|search for|' +
  '(?:am|are) interested in|want|need)'
/** Words before the topic of a criterion. */
export const opening = new CaselessPattern(`^(?:${including}) `, 'u')

const maxHeadingLength = 100
const besideHeading =
  'key|main|major|primary|other|additional|further|general|specific|study|trial|review|participants?|patients?|our|my|this|the|these|' +
  'those|all|any|of|for|following|as|follows|are|is|were|will|be|to|if|when|that|which|what|things?|studies|papers|articles|publications|' +
  'topics?|subjects?|areas?|keywords?|terms?|list|section|explicitly|strictly|always|please|also|me|us|i|we|and|or|see|read'
const headingOf = (words: string) =>
  new CaselessPattern(`^(?:(?:${besideHeading}) )*(?:主要)?(?:${words})(?:标准|標準)?(?: (?:${besideHeading}|includes?|comprises?))*$`, 'u')
const inclusionCriteria = '(?:inclusion|eligibility|selection)(?:\\s*(?:and|or|&|/)\\s*exclusion)? criteri(?:a|on)|' +
  'criteri(?:a|on) for inclusion'
const exclusionCriteria = '(?<!(?:and|or|&|/)\\s*)exclusion criteri(?:a|on)|criteri(?:a|on) for exclusion'
/** The same headings in other languages. */
const inclusionElsewhere = 'einschlusskriterien|crit[eè]res d[’\']inclusion|criterios de inclusi[oó]n|crit[eé]rios de inclus[aã]o|' +
  'criteri di inclusione|inclusiecriteria|[Кк]ритерии включения|選択基準|適格基準|포함 기준'
const exclusionElsewhere = 'ausschlusskriterien|crit[eè]res d[’\']exclusion|criterios de exclusi[oó]n|crit[eé]rios de exclus[aã]o|' +
  'criteri di esclusione|exclusiecriteria|[Кк]ритерии исключения|除外基準|제외 기준|' +
  'ausgeschlossen|ausschl[uü]ss(?:e|kriterium)?|[àÀ] exclure|exclure|exclus|excluir|' +
  'exclu[ií]d[oa]s|exclusi[oó]n|escludere|esclus[ie]|esclusione|uitgesloten|[Ии]сключить|[Ии]сключения|[Нн]е включать'
const outOfScope = '(?:out[\\s-]of[\\s-]|outside (?:of )?(?:the |my |our )?|beyond (?:the |my |our )?|not in )scope'
const inclusionHeading = headingOf(
  `${inclusionCriteria}|criteri(?:a|on)|inclusions?|in[\\s-]scope|of interest|wanted|relevant|interested in|${including}|纳入|納入|入选|` +
    inclusionElsewhere
)
const exclusionHeading = headingOf(`${exclusionCriteria}|${exclusionElsewhere}|exclusions?|${outOfScope}|${subject}(?:${excluding})`)
/** Words that say it of papers and topics alone: "ignored patients" is a subject. */
const besideUnwanted = '(?:(?:the|these|things?|studies|papers|articles|publications|work|topics?|subjects?|areas?|keywords?|terms?|to|' +
  'please|for|me|us) )*'
const unwantedHeading = new CaselessPattern(
  `^${besideUnwanted}(?:(?:not )?of (?:no|little) interest|un(?:wanted|interesting|desired)|(?:ir|non-?)relevant|` +
    'off[\\s-]topic|no interest|not (?:interested|wanted|needed|included|relevant|interesting|of interest)|avoid|ignored?|omit(?:ted)?|' +
    `skip|minus|disregard|leave out|left out|leave aside|excluded|without|not) ${besideUnwanted}$`, 'u'
)
/** The introduction of a list may have any other words: "Criteria for exclusion from both reviews:". */
const introducesWanted = new CaselessPattern(inclusionCriteria, 'u')
const introducesUnwanted = new CaselessPattern(
  `${exclusionCriteria}|${excluding}|(?<![-a-zÀ-ɏ])(?:is|are|be|fall|lie|as) ${outOfScope}|` +
    '(?:stud(?:y|ies)|papers?|articles?|topics?|things|subjects?|areas?|work|publications?|what|keywords?|terms?) ' +
    '(?:(?:that )?(?:i|we|you) )?(?:(?:to|should|must|will|would|want to|would like to) )(?:be )?' +
    '(?:avoid|ignore|skip|omit|skipp|omitt|exclude|leave out|left out|filter out)(?:e?d)?(?![a-zÀ-ɏ])', 'u'
)
/** A subject before what a list leaves out of it: "Statins in adults, except:". */
const introducedException = new CaselessPattern(`^(?<subject>.*?)[,;(\\s]{1,3}${except}(?: (?:${besideHeading}))*$`, 'dsu')
/** Text that an exclusion keeps: "Exclude everything except statins", or all that a list below "Exclude studies other than:" names. */
const kept = '(?:except(?:ing)?(?: for)?|other than|apart from|but)'
const keptOfAll = new CaselessPattern(
  `^${subject}(?:${excluding}|avoid|ignore|omit|skip) ` +
    '(?:everything|anything|all(?: (?:other|papers?|studies|articles?|publications?|topics|things))*)' +
    `(?: else)?,? \\(?${kept}\\s*[:：]? (?<text>.+)$`, 'dsu'
)
const introducedKept = new CaselessPattern(`^(?<excluded>.*?)[,;(\\s]{1,3}${kept}(?: (?:${besideHeading}|about|on|in|with))*$`, 'dsu')

/** "No" is a heading of exclusions, and NO is nitric oxide. */
const isNo = (label: string) => label === 'No' || label === 'no'
/** People who list what they do not want may name it after a colon: "Papers I don't want to see: reviews". */
const namesUnwanted = new CaselessPattern(
  '^(?:papers|articles|studies|topics|things|stuff|work|what|publications) (?:that )?' +
    '(?:we|i) (?:do not|don[’\']t|would not|am not|are not) ', 'u'
)

/** The end of a sentence before the list of what will be left out: "The following designs will be excluded:". */
const plannedExclusion =
  /\s(?:will|shall|should|must)\s(?:also\s|all\s)?(?:be (?:excluded|omitted)|not be (?:included|considered))$/iu

/** A heading of criteria, with the text that follows it and what it says before. @returns undefined if the sentence is none */
export function readHeading (sentence: string): { isWanted: boolean, subject?: string | undefined, text: string } | undefined {
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
  if (colon !== -1 && plannedExclusion.test(label) && isUnwanted(label)) return { isWanted: false, text }
  if (colon !== -1 && (isNo(label) || namesUnwanted.test(label))) return { isWanted: false, text }
  if (exclusionHeading.test(label) || unwantedHeading.test(`${label} `)) return { isWanted: false, text }
  return inclusionHeading.test(label) ? { isWanted: true, text } : undefined
}

/** Of a line in bold, which stands below headings. */
export const maxHeadingLevel = 7
/** The level of a Markdown heading, from 1; undefined for other lines. */
export function headingLevel (line: string): number | undefined {
  const marks = /^(#{1,6})\s/u.exec(line)
  if (marks !== null) return marks[1]!.length
  return /^(\*\*|__)[^*_]{1,100}\1[:：]?$/u.test(line) ? maxHeadingLevel : undefined
}
