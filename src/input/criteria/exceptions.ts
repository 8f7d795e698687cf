import { withoutNegatedTerms } from './boolean-queries.js'
import { CaselessPattern } from './caseless-pattern.js'
import { beginsWithKind } from './study-words.js'
import { excluding, isLeftOutByNo } from './unwanted-sentences.js'
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
const briefException =
  `${except}\\s+(?!${describingClass}\\s)[^\\s,;]+(?:\\s+(?!${describingClass}\\s)[^\\s,;]+){0,4}?(?<!(?<![a-zÀ-ɏ])${described})`
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
    `[,;\\s]{1,3}${except}\\s(?:.*?(?=,\\s+${resumingAfterComma}\\s)|.*)`,
  'gsu'
)

/** After a clause, the reader says what to leave out: "…, but I am not interested in mice". */
const aside = new CaselessPattern(
  '(?:[,;–—]\\s*(?:(?:and|but|so) )?|\\s(?:and|but) )(?:(?:please|kindly) |(?:we|i) (?:(?:am|are|do|would) )?|i[’\']m )+' +
    `(?:${excluding}|(?:avoid|ignore|omit|skip|leave out)${end}).*$|` +
    `(?:[,;–—]\\s*(?:(?:and|but) )?|\\sbut )(?:nothing (?:on|about|from|related to|to do with)|not interested in)${end}.*$`,
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
  '(?<![a-zÀ-ɏ])(?:why|when|whether|how|who|choos\\w*|choices?|chose|prefer\\w*|decisions?|deciding|versus|vs|compar\\w*|is|are|was|' +
    'were|be|has|have|results?|due|causes?|caused|should|may|can)(?![a-zÀ-ɏ])|\\?$', 'u'
)
const ofReader = new CaselessPattern(/(?<![a-zÀ-ɏ])(?:i|we|i[’']m|we[’']re|interested|looking|please)(?![a-zÀ-ɏ])/u, 'u')

/** Leaves out what is contrasted with a subject: "rather than" may also compare treatments, so other words need a kind of paper. */
function withoutContrast (text: string): string {
  const isOfReader = ofReader.test(text)
  if (!isOfReader && ofBothSides.test(text)) return text
  return text.replace(preferred, (contrast, words: string, other: string) =>
    isOfReader || /^(?:rather|and)/iu.test(words) || beginsWithKind(other) ? '' : contrast)
}

const notOfSubjects = '(?:only|just|all|every|merely|simply|necessarily|otherwise|elsewhere|yet|least|limited|restricted|even|because|' +
  'to|by|as|due|so|very|too|more|less|much|often|always|previously|currently|that|[\\p{L}-]+(?:ing|ed))'
const deniedByNot = new CaselessPattern(`^(?:(?:and|but) )?not (?!${notOfSubjects}${end})\\S`, 'u')
const deniedByNo = new CaselessPattern(/^(?:(?:and|but|with) )*(?:no|without(?: any)?|nor|nothing (?:on|about)) (?<rest>.+)$/u, 'dsu')
const deniedAfter = new CaselessPattern(
  '^(?<kind>.{1,80}?) (?:(?:is|are|be) )?(?:excluded|not (?:included|wanted|of interest|relevant)|out of scope)[.!]?$', 'du'
)
const goesBack = new CaselessPattern(`^${resuming}\\s`, 'u')
const joined = /^(?:or|nor)\s/iu
const maxPartLength = 160
/** Parts of a list after its first one in which its last one, which begins with "or", is looked for. */
const maxJoined = 6

/** Whether a part of a sentence between commas, or in parentheses, says what is left out: "no reviews", "not mice". */
function isDenied (part: string, before = ''): boolean {
  const text = part.slice(0, maxPartLength)
  if (deniedByNot.test(text)) return text.split(/\s+/u).length <= 6 || beginsWithKind(text.replace(/^(?:and\s+|but\s+)?not\s+/iu, ''))
  const { rest } = deniedByNo.exec(text)?.groups ?? {}
  if (rest !== undefined && !/^(?:and\s|but\s)?NO\s/u.test(text)) {
    return /^(?:but|and|without)\s/iu.test(text) ? beginsWithKind(rest) : isLeftOutByNo(rest)
  }
  const { kind } = deniedAfter.exec(text)?.groups ?? {}
  return kind !== undefined && !isAboutOthers(before + kind) && beginsWithKind(kind)
}

/** "With and without children" is one part. */
const partEnd = /(?<=[,;])\s+|\s+(?=[–—]\s)|(?<!(?<!\p{L})with)\s(?=(?:but|and)\s(?:no|without)\s)/iu
const beginsWithKindOnly = (part: string) => beginsWithKind(part) && part.split(/\s+/u).length <= 4

/** Begins where a run of marks does: trying each mark of a run would take time that grows with the square of its length. */
const trailingMarks = /(?<![,;–—\s])[,;–—\s]+$/u

/** Leaves out parts between commas: "Statins, no reviews or letters, in adults". */
function withoutDeniedParts (text: string): string {
  const parts = text.split(partEnd)
  if (parts.length === 1) return text
  const isFinding = !ofReader.test(text) && ofBothSides.test(text)
  const kept: string[] = []
  let deniedUntil = -1
  for (const [at, part] of parts.entries()) {
    const bare = part.replace(/^[–—]\s*|[,;]$/gu, '')
    if (at > 0 && at > deniedUntil && !(isFinding && /^not\s/iu.test(bare)) && isDenied(bare, parts[0])) {
      deniedUntil = at + 1 + parts.slice(at + 1, at + 1 + maxJoined).findIndex(next => joined.test(next))
      while (beginsWithKindOnly(parts[deniedUntil + 1] ?? '')) deniedUntil++
    }
    if (at > deniedUntil || goesBack.test(bare)) kept.push(part)
  }
  return kept.length === parts.length ? text : kept.join(' ').replace(trailingMarks, '')
}

const parentheses = /\s?[(（[]\s?([^()（）[\]]{1,200})[)）\]]/gu

/** A criterion without what it leaves out of its subject. */
export function withoutExceptions (criterion: string): string {
  const text = withoutNegatedTerms(criterion.replace(exception, ''))
    .replace(parentheses, (whole, inner: string) => isDenied(inner.trim()) ? '' : whole)
    .replace(allBut, '$<all>').replace(aside, '')
  return withoutDeniedParts(withoutContrast(text)).trim()
}
