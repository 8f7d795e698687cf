import { withoutNegatedTerms } from './boolean-queries.js'
import { CaselessPattern } from './caseless-pattern.js'
import { hasEnglishWord, leftOutElsewhere, withoutForeignExceptions } from './foreign-exclusions.js'
import { beginsWithKind } from './study-words.js'
import { emphatic, excluding, gates, isLeftOutByNo } from './unwanted-sentences.js'
import { isAboutOthers } from './verdicts.js'

/** Of a word in a Latin script; words of Chinese need no space after it. */
const end = '(?![-a-zÀ-ɏ])'
export const except = '(?:(?:but\\s+)?excl(?:uding|\\.)?|except(?:ing)?(?:\\s+for)?|' +
  `but\\s+not(?!\\s+(?:limited|restricted|only|just|exclusively|solely|necessarily|merely|always)${end})|other\\s+than|not\\s+including|` +
  'with\\s+the\\s+exceptions?\\s+of|(?:and|but)\\s+(?:we\\s+)?exclude)'
/** After these words, "in" and "for" say more of what is left out: "except studies in mice". */
const described =
  '(?:stud(?:y|ies)|trials?|reports?|reviews?|papers?|articles?|models?|those|ones|patients|participants|people|women|men|children|adults)'
const resuming = '(?:for|in(?!\\s+(?:vitro|vivo|silico|situ)(?![a-zÀ-ɏ]))|among|during)'
/** After a comma, any preposition leads back to the subject: "Treatments, except surgery, of carpal tunnel syndrome". */
const resumingAfterComma =
  `(?:${resuming}|on|of|at|to|with|as|from|by|about|against|towards?|after|before|between|under|and\\s+(?:its|their|how))`
const exceptedWord = `(?!${resuming}\\s|with\\s|of\\s|on\\s|to\\s)[^\\s,;]+`
/** What describes a subject of a few words, rather than what is left out of it: "Vaccines other than mRNA against COVID-19". */
const describing = '(?:against|towards?|at|as|to|from|under|after|before|between|using|that|which|who|whose|and\\s+(?:its|their|how)|' +
  '[a-z]{3,}(?:ed|ing)\\s+(?:with|by|to|in|from|for|on|as))'
/** The same of a class of things: "Treatments except surgery of …", but not "Leprosy except history of …". */
const describingClass = `(?:of|with|on|${describing})`
const subjectWord = '(?!(?:everything|anything|all|of|in|on|for|with|to|from|by|at|among|and|or)\\s)[^\\s,;:()]+'
const briefException = `${except}\\s+(?!${describingClass}\\s)[^\\s,;]+(?:\\s+(?!${describingClass}\\s)[^\\s,;]+){0,4}?` +
  `(?<!(?<![a-zÀ-ɏ])${described})`
/** What follows an exception is wanted: "Batteries other than lithium, such as sodium", "…, but not insulin, reduces cancer risk". */
const wantedAgain =
  '(?:,\\s+(?:only|just|but(?!\\s+(?:not|no)\\s)|such\\s+as|e\\.g\\.|i\\.e\\.|including|incl\\.?|especially|particularly|like|' +
  'plus|treated\\s+with)\\s|\\s+and\\s+(?:including|focus\\s+on)\\s)'
/** One more item of a list, rather than what goes on with the sentence. */
const listed = '(?:(?:and|or|nor)\\s|[^\\s,;]+(?:[,;.]|$|\\s+(?:and|or|nor)\\s))'
/**
 * Text that a sentence leaves out of its subject: in parentheses, a few words before "for" or "in" (interventions other than surgery for
 * back pain) or before another description of a brief subject, and after a comma everything that the next comma does not lead back to
 * the subject (statins, excluding rosuvastatin, for stroke).
 */
const exception = new CaselessPattern(
  `\\s?[(（[]\\s?${except}\\s[^)）\\]]*(?:[)）\\]]|$)|` +
    `\\s${except}\\s+${exceptedWord}(?:\\s+${exceptedWord}){0,2}?(?<!(?<![a-zÀ-ɏ])${described})(?=\\s+${resuming}\\s)|` +
    `(?=\\s${except}\\s)(?:(?<=^${subjectWord}(?:\\s${subjectWord}){0,2})\\s${briefException}(?=\\s+${describing}\\s)|` +
    `(?<=^(?:${subjectWord}\\s){0,2}[^\\s,;:()]+(?<!ss|us|is)s)\\s${briefException}(?=\\s+${describingClass}\\s))|` +
    `,\\s+(?=but\\s+not\\s)${except}\\s[^,;]*(?=,\\s+(?!${listed})\\S)|` +
    `[,;\\s]{1,3}${except}\\s[^,;]*(?=,\\s+and\\s(?!no(?:t|r)?\\s))|` +
    `[,;\\s]{1,3}${except}\\s(?:.*?(?=,\\s+${resumingAfterComma}\\s|${wantedAgain})|.*)`,
  'gsu'
)

/** After a clause, the reader says what to leave out: "…, but I am not interested in mice". */
const aside = new CaselessPattern(
  '(?:[,;–—]\\s*(?:(?:and|but|so) )?|\\s(?:and|but) )(?:(?:please|kindly) |(?:we|i) (?:(?:am|are|do|would) )?|i[’\']m )+' +
    `(?:${excluding}|(?:avoid|ignore|omit|skip|leave out)${end})(?:.*?(?=${wantedAgain})|.*$)|` +
    `(?:[,;–—]\\s*(?:(?:and|but) )?|\\sbut )(?:nothing (?:on|about|from|with|involving|related to|to do with)|not interested in)${end}` +
    `(?:.*?(?=${wantedAgain})|.*$)`,
  'su'
)
/** Everything but a part of it. */
const allBut = new CaselessPattern(
  '(?<![a-zÀ-ɏ])(?<all>everything|anything|all (?:papers|studies|articles|work|research))(?: else)?,? ' +
    '(?:but|apart from|aside from) .*$', 'dsu'
)

/** What is preferred, and before which other thing: a few words, until the sentence goes on. */
const goingOn = '(?:for|in|on|of|at|from|about|among|during|to|when|while|if|because|by|after|before|with|as|since|and|or|that|which|who)'
const preferredWord = `(?!${goingOn}\\s)[^\\s,;.:()]+`
const preferred = new CaselessPattern(
  ',?\\s(?<words>rather than|instead of|as opposed to|' +
    `and not(?! (?:only|just|all|yet|otherwise|merely|necessarily|to|be|gates?|logic)${end})) ` +
    `(?:(?:in|on|for|of|from|with|by) )?(?<other>${preferredWord}(?: ${preferredWord}){0,2}(?: (?:and|or) ${preferredWord}(?=[.,;]|$))?)`,
  'dgu'
)
/** Sentences about a choice, and findings, are about both of their sides. */
const ofBothSides = new CaselessPattern(
  '(?<![a-zÀ-ɏ])(?:why|when|whether|how|who|choos\\w*|choices?|chose|prefer(?!abl[ey])\\w*|decisions?|deciding|versus|vs|compar\\w*|' +
    'is|are|was|were|be|has|have|results?|due|causes?|caused|should|may|can)(?![a-zÀ-ɏ])|\\?$', 'u'
)
const ofReader = new CaselessPattern(/(?<![a-zÀ-ɏ])(?:i|we|i[’']m|we[’']re|interested|looking|please)(?![a-zÀ-ɏ])/u, 'u')

/** Takes what a criterion leaves out. @returns the empty text in its place */
type LeaveOut = (excluded: string) => string

/** Leaves out what is contrasted with a subject: "rather than" may also compare treatments, so other words need a kind of paper. */
function withoutContrast (text: string, leaveOut: LeaveOut): string {
  const isOfReader = ofReader.test(text)
  if (!isOfReader && ofBothSides.test(text)) return text
  return text.replace(preferred, (contrast, words: string, other: string) => {
    if (!isOfReader && !/^(?:rather|and)/iu.test(words) && !beginsWithKind(other)) return contrast
    // Papers that compare both with each other are not unwanted.
    return /^and/iu.test(words) ? leaveOut(other) : ''
  })
}

const notOfSubjects = '(?:able|unable|willing|ready|likely|eligible|only|just|all|every|merely|simply|necessarily|otherwise|' +
  'elsewhere|yet|least|limited|restricted|even|because|' +
  'to|by|as|due|so|very|too|more|less|much|often|always|previously|currently|that|[\\p{L}-]+(?:ing|ed))'
const deniedByNot = new CaselessPattern(`^(?:(?:and|but|${emphatic}) )*not(?: |: ?)(?!${notOfSubjects}${end})(?<rest>\\S.*)$`, 'dsu')
const deniedByNo = new CaselessPattern(
  `^(?:(?:and|but|with|${emphatic}) )*(?<no>no|without(?: any)?|nor|never|nothing (?:on|about|with)) (?!s[oó]lo |solamente )(?<rest>.+)$`, 'dsu'
)
const minus = 'minus(?! (?:strand|sense|end|sign|one)(?![a-zÀ-ɏ]))'
const deniedByParticiple = new CaselessPattern(
  `^(?:(?:and|but) )*(?:(?<any>${minus}|ignoring|omitting|disregarding|leaving (?:out|aside)|(?:apart|aside) from|barring|` +
    '(?:to|with) the exclusion of|(?<=^but )(?:skip|ignore|omit|avoid|leave out|drop))|skipping|save for) (?<rest>.+)$', 'dsu'
)
const deniedAfter = new CaselessPattern(
  '^(?<kind>.{1,80}?) (?:(?:is|are|be) )?(?:excluded|not (?:included|wanted|needed|of interest|relevant)|out of scope)[.!]?$', 'du'
)
/** States of people: "diabetes, not on insulin". "Papers on sleep, not on dreams" leaves dreams out. */
const ofState = /^(?:on|at|under)\s/iu
/** Whom people may be without: "older people, without children". */
const people = new CaselessPattern(
  '^(?:[a-z-]+\\s){0,2}(?:child|children|infants?|adolescents?|teenagers?|adults?|people|men|women|students)(?![-a-z])', 'u'
)
const goesBack = new CaselessPattern(`^${resuming}\\s`, 'u')
const joined = /^(?:or|nor)\s/iu
const maxPartLength = 160
/** Parts of a list after its first one in which its last one, which begins with "or", is looked for. */
const maxJoined = 6
/** Parts of a sentence that are read, far more than people write. */
const maxParts = 200

interface PartContext {
  /** The first part. */
  before: string
  /** Whether the sentence is a finding, which is about both of its sides. */
  isFinding: boolean
  /** Whether a mark is before the part. */
  isMarked: boolean
}

/**
 * What a part of a sentence between commas, or in parentheses, leaves out: "no reviews", "not mice".
 * @returns undefined if it names what is wanted
 */
function deniedIn (part: string, { before, isFinding, isMarked }: PartContext): string | undefined {
  const text = part.slice(0, maxPartLength)
  if (gates.test(text.replace(/^(?:and|or)\s/iu, ''))) return undefined
  const { rest: not } = deniedByNot.exec(text)?.groups ?? {}
  if (ofState.test(not ?? '') && !before.toLowerCase().includes(` ${not!.split(' ')[0]!.toLowerCase()} `)) return undefined
  if (not !== undefined) return !isFinding && (text.split(/\s+/u).length <= 6 || beginsWithKind(not)) ? not : undefined
  const { no, rest } = deniedByNo.exec(text)?.groups ?? {}
  if (no !== undefined && rest !== undefined && !/^(?:and\s|but\s)?NO\s/u.test(text)) {
    if (/^without/iu.test(no) && people.test(rest)) return undefined
    const isDenied = /^(?:without|never)/iu.test(no) || /^(?:but|and)\s/iu.test(text) ? beginsWithKind(rest) : isLeftOutByNo(rest)
    return isDenied ? rest : undefined
  }
  const { any, rest: left } = deniedByParticiple.exec(text)?.groups ?? {}
  if (left !== undefined) return (isMarked && any !== undefined) || beginsWithKind(left) ? left : undefined
  const { kind } = deniedAfter.exec(text)?.groups ?? {}
  return kind !== undefined && !isAboutOthers(before + kind) && beginsWithKind(kind) ? kind : undefined
}

/** "With and without children" is one part. */
const partEnd = /(?<=[,;])\s+|\s+(?=(?:[–—/]|--?)\s)|(?<!(?<!\p{L})with)\s(?=(?:but|and)\s(?:no|without)\s|(?:apart|aside)\sfrom\s)/iu
const beginsWithKindOnly = (part: string) => beginsWithKind(part) && part.split(/\s+/u).length <= 4

/** Begins where a run of marks does: trying each mark of a run would take time that grows with the square of its length. */
const trailingMarks = /(?<![,;–—/\s-])[,;–—/\s-]+$/u

/**
 * Leaves out parts between commas: "Statins, no reviews or letters, in adults".
 * @param isInner whether the text is in parentheses, where the first part may be one of them
 */
function withoutDeniedParts (text: string, leaveOut: LeaveOut, { isInner = false } = {}): string {
  const parts = text.split(partEnd)
  if (parts.length === 1 && !isInner) return text
  const isFinding = !isInner && !ofReader.test(text) && ofBothSides.test(text)
  const isForeign = !hasEnglishWord(text)
  const kept: string[] = []
  let deniedUntil = -1
  for (const [at, part] of parts.entries()) {
    const bare = part.replace(/^(?:[–—/]|--?)\s+|[,;]$/gu, '')
    const isMarked = at === 0 || /^[–—/-]/u.test(part) || /[,;]$/u.test(parts[at - 1]!)
    const context = { before: at === 0 ? '' : parts[0]!, isFinding, isMarked }
    const denied = (at > 0 || isInner) && at > deniedUntil && at < maxParts
      ? deniedIn(bare, context) ?? (isForeign ? leftOutElsewhere(bare) : undefined)
      : undefined
    if (denied !== undefined) {
      leaveOut(denied)
      deniedUntil = at + 1 + parts.slice(at + 1, at + 1 + maxJoined).findIndex(next => joined.test(next))
      while (beginsWithKindOnly(parts[deniedUntil + 1] ?? '')) deniedUntil++
    }
    if (at > deniedUntil || goesBack.test(bare)) kept.push(part)
    else if (denied === undefined) leaveOut(bare)
  }
  return kept.length === parts.length ? text : kept.join(' ').replace(trailingMarks, '')
}

/** The end of a text before an exception to an exclusion: "no reviews, except systematic reviews". */
const excludedBefore = /[,;(–—-]\s?(?:(?:and|but)\s)?(?:no|not|without)\s[^,;()]*$/iu
const beginsWithException = /^[,;([（\s]*(?:except|other\s+than|with\s+the\s+exception)/iu

const parentheses = /\s?[(（[]\s?(?<inner>[^()（）[\]]{1,200})[)）\]]/gu

/** A text with one space, or the end of a line, for several: patterns would try each space of a long run again and again. */
const withoutRuns = (text: string): string => text.replace(/\s{2,}/gu, run => run.includes('\n') ? '\n' : ' ')

/** A criterion without what it leaves out of its subject, and that. */
export function readExceptions (text: string): { wanted: string, excluded: string[] } {
  const criterion = withoutRuns(text)
  const excluded: string[] = []
  const leaveOut = (text: string) => {
    excluded.push(text)
    return ''
  }
  let keptOfExcluded = ''
  const withoutExceptions = criterion.replace(exception, (excepted: string, at: number) => {
    const isKept = beginsWithException.test(excepted) && excludedBefore.test(criterion.slice(Math.max(0, at - maxPartLength), at))
    if (!isKept) return leaveOut(excepted)
    keptOfExcluded += excepted
    return ''
  })
  const kept = withoutForeignExceptions(withoutNegatedTerms(withoutExceptions, leaveOut), leaveOut)
    .replace(parentheses, (whole, inner: string) => {
      const denied = deniedIn(inner.trim(), { before: '', isFinding: false, isMarked: true })
      if (denied !== undefined) return leaveOut(denied)
      const wanted = withoutDeniedParts(inner.trim(), leaveOut, { isInner: true })
      return wanted === inner.trim() ? whole : wanted === '' ? '' : ` (${wanted})`
    })
    .replace(allBut, (but: string, all: string) => `${all}${leaveOut(but.slice(all.length))}`).replace(aside, leaveOut)
  const wanted = withoutDeniedParts(withoutContrast(kept, leaveOut), leaveOut).trim()
  return { wanted, excluded: excluded.map(each => `${each}${keptOfExcluded.slice(0, maxPartLength)}`) }
}
