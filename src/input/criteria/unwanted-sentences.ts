import { CaselessPattern } from './caseless-pattern.js'
import { isLeftOutElsewhere } from './foreign-exclusions.js'
import { beginsWithKind, beginsWithKindAlone } from './study-words.js'
import { anything, hasVerdict } from './verdicts.js'

/** Of a word in a Latin script; words of Chinese need no space after it. */
const end = '(?![-a-zÀ-ɏ])'
const adverb = '(?:(?:really|particularly|especially|currently|very|at all|so|that|much|explicitly|generally|further|ever) )?'
/** "I don't want to miss papers on sleep" says what is wanted. */
const notToMiss = '(?! to (?:miss|overlook|lose|exclude|limit|restrict|skip|ignore|omit|leave)(?![-a-zÀ-ɏ]))'
const negation = '(?:(?:do|does|will|would|should|must|can|could) not|(?:do|does|wo|would|should|ca)n[’\']t|never)'
/** Words that leave something out, in sentences and in headings. */
export const excluding =
  '(?<![-a-zÀ-ɏ]|not\\s)(?:exclud(?:e|es|ing)|excluded(?= (?:are|is|were|will|(?:animal|case|conference)?\\s?' +
  '(?:studies|papers|articles|reviews|reports|topics))|\\s*[:：]|$)|' +
  `${negation} ${adverb}(?:include|(?:want|need)${notToMiss}|show|send|suggest|recommend|return|list|consider|care (?:about|for)|` +
  '(?:wish|like) to see|bother (?:with|about|(?:show|send)ing))|' +
  `(?:not|never|neither) ${adverb}(?:(?:to )?(?:be )?(?:included|wanted|shown|considered|needed)|interested in|looking (?:for|at|into)|` +
  `of (?:any )?interest|relevant)|(?:isn|aren)[’']t ${adverb}interested in|uninterested in|` +
  `no longer (?:interested in|looking for)|(?:have )?no (?:interest in|need (?:for|of|to see)))${end}|` +
  '排除|不包括|不含|除外|不考虑|不考慮|不纳入|不納入|不感兴趣|不感興趣'

/** Adverbs before "not" and "no": "definitely no reviews". */
export const emphatic =
  '(?:definitely|certainly|preferably|ideally|especially|particularly|rather|really|absolutely|strictly|though|although)'
const polite = '(?:please|kindly|also|and|but|so|however|additionally|moreover|furthermore|finally|in addition|note that|' +
  `can you|could you|would you|let[’']s|you (?:can|may|could)|feel free to|${emphatic})`
const review = '(?:this|the|our|my) (?:(?:systematic|scoping|rapid|living|literature) )?(?:review|feed|project|search|interest|focus)'
/** Before a verb: "Please,", "we will", "I would like to". */
export const subject =
  `(?:${polite},? |(?:we|i|${review}) (?:(?:will|would|do|am|are|is) )?` +
  '(?:(?:want|wish|prefer|plan|intend|like|need|have) to )?|(?:i[’\']m|i[’\']d|we[’\']re) (?:(?:rather|like to) )?)*'

const onlyPolite = `(?:${polite},? )*`
/** Verbs that begin no name of a subject: "Avoid animal studies". "Avoidance learning" and "ignored variables" are subjects. */
const leaving = `(?:avoid|ignore|omit|disregard(?! (?:of|for)${end})|leave (?:out|aside))${end}`
/** Verbs that need a kind of paper after them, or "please" before them: "skip connections" and "drop tests" are subjects. */
const removing = `(?:skip|drop|remove|hide|discard|reject|(?:filter|screen|weed|sort) out|${leaving})${end}`
/** What follows "not" in names and in descriptions of what is wanted. */
const notOfSubjects = '(?:only|just|all|every|everyone|merely|simply|necessarily|otherwise|elsewhere|yet|least|limited|restricted|' +
  'for profit|in my|invented|to mention|much(?! interest)|many|enough|a few|often|always|' +
  'long (?:ago|after|before|enough|until)|surprisingly|uncommonly|infrequently|unlike|until|being)'

const unwanted = new CaselessPattern(
  `^(?:${subject}(?:${excluding})|` +
    `(?:i[’']m|we[’']re|(?:i|we) (?:am|are)) (?:also )?(?:skipping|ignoring|omitting|avoiding|leaving out)${end}|` +
    `(?:i|we)(?:[’']d| would)? (?:prefer|rather|wish|want|like) not (?:to )?(?:see|get|read|receive|have|include)${end}|` +
    `${onlyPolite}(?:${leaving}|(?:(?:we |i )?(?:without|not(?! ${notOfSubjects}${end}))|` +
    'stop (?:showing|sending|suggesting|recommending)|forget about|except(?:ing)?(?: for)?|with the exception of|' +
    `nothing (?:on|about|in|from|with|involving|related to|to do with))${end}))`, 'u'
)
const asked = new CaselessPattern(
  `^(?:${onlyPolite}(?:please|kindly),? (?:${removing}|filter${end})|` +
    `(?:i|we)(?:[’']d| would)? (?:want|wish|like|prefer|try) to (?:avoid|skip|ignore|omit|disregard|leave out|filter out)${end})`, 'u'
)
const removed = new CaselessPattern(`^${subject}${removing} `, 'u')
const leftOut = new CaselessPattern(
  `^${subject}(?:leave|filter|screen|weed|keep) (?!one\\s)(?<object>.{1,80}\\s)` +
    'out(?: of (?:it|this|here|(?:my|our|the) (?:feed|results|list)))?[.!;]?$', 'du'
)

/** Names of subjects that begin with "no": "No free lunch", "No cloning theorem", "No show appointments". */
const namesWithNo = new CaselessPattern(
  '^(?:adverse|analgesia|answer|arbitrage|boundary|change|child|cloning|code|confidence|contact|difference|drop|effect|evidence|' +
    'exit|fault|fly|free|frills|go|hair|haircut|harm|hiding|kill|knead|less|man|man[’\']s|more|net|observed|one|one[’\']s|' +
    'poach|reference|reflow|regret|relation|release|response|rinse|show|shows|signaling|signalling|slip|smoking|suicide|take|' +
    'tail|till|tillage|touch|u-turn|wait|way)(?![a-zÀ-ɏ])', 'u'
)
/** Statements of a gap in what is known: "No studies have compared both." */
const gap = new CaselessPattern(
  '^[^,;]*?(?<!(?:that|which|who) )(?<![a-zÀ-ɏ])' +
    '(?:have|has|had|exists?|been|yet|so far|to date|was|were|is|are|can|could|compare[sd]?|show(?:s|ed)?)(?![a-zÀ-ɏ])', 'u'
)
const gapOfWanted = new CaselessPattern(
  /(?<![a-zÀ-ɏ])(?:are|is|should|be) (?:be )?(?:wanted|needed|included|shown|required)(?![a-zÀ-ɏ])/u, 'u'
)
const maxNoLength = 300
const beginsWithNo = new CaselessPattern(`^${onlyPolite}(?:we want |i want |with )?no (?<rest>.+)$`, 'dsu')
/** The symbol of nitric oxide. */
const nitricOxide = /^(?:\p{Lu}\p{Ll}+,?\s)?NO\s/u
const singleWord = /^[\p{L}\p{N}-]{2,}$/u
const plural = new CaselessPattern(/^\p{L}{3,}(?<!ss|us|is)s$/u, 'u')
/** Names have capitals. */
const isPlural = (words: readonly string[]) => plural.test(words.at(-1)!) && !/\p{Lu}\p{Ll}/u.test(words.join(' '))

/** Whether what follows "no" is left out, and is no name: "no reviews", "no mice, please", "no surgery". */
export function isLeftOutByNo (text: string): boolean {
  const rest = text.slice(0, maxNoLength)
  if (namesWithNo.test(rest) || (gap.test(rest) && !gapOfWanted.test(rest))) return false
  if (beginsWithKind(rest) || /(?<![a-zÀ-ɏ])please[.!]*$/iu.test(rest)) return true
  const parts = rest.replace(/[.!;\s]+$/u, '').split(/\s*,\s*(?:(?:and|or|nor)\s+)?|\s+(?:and|or|nor)\s+/iu)
  if (parts.length > 1 && /(?<![a-zÀ-ɏ])(?:or|nor|no)\s/iu.test(rest) && parts.some(part => beginsWithKind(part))) return true
  if (parts.length > 1 && parts.slice(1).every(part => /^no\s/iu.test(part))) return true
  const words = parts.map(part => part.split(/\s+/u))
  if (words.some(part => part.length > 3)) return false
  return words.every(part => part.length === 1 ? singleWord.test(part[0]!) : isPlural(part)) ||
    (words.length > 1 && /\s(?:or|nor)\s/iu.test(rest))
}

/** Whether a sentence is an exclusion by "no" if others near it are: "No machine learning." after "No reviews." */
export function mayLeaveOutByNo (sentence: string): boolean {
  const { rest } = beginsWithNo.exec(sentence.slice(0, maxNoLength))?.groups ?? {}
  return rest !== undefined && !nitricOxide.test(sentence) && !namesWithNo.test(rest) && !gap.test(rest) && rest.split(/\s+/u).length <= 4
}

function isUnwantedByNo (sentence: string): boolean {
  const { rest } = beginsWithNo.exec(sentence.slice(0, maxNoLength))?.groups ?? {}
  return rest !== undefined && (!nitricOxide.test(sentence) || !/\p{Ll}/u.test(sentence)) && isLeftOutByNo(rest)
}

/** A criterion of a table: "Animal studies: no". */
const deniedInTable = new CaselessPattern(
  '^[^:：]{1,100}[:：–—]\\s*(?:no|none|no,? thank(?: you|s)|not (?:included|wanted|relevant)|excluded?|ignored?|avoid|' +
    'out of scope)[.!;]?$', 'u'
)

/** Of logic, and of DNA. */
export const gates = /^NOT\s+(?:gates?|logic|circuits?|operat[a-z]+|functions?|elements?)(?![a-zÀ-ɏ])/u

/**
 * Whether a sentence says what is not wanted: it begins with words such as exclude, without, not, avoid or do not include, or ends with
 * "is out of scope". NOT gates, and sentences that begin with "not only", are wanted.
 */
export function isUnwanted (sentence: string): boolean {
  if (sentence.startsWith('NOT ')) return !gates.test(sentence)
  if (unwanted.test(sentence) || asked.test(sentence)) return true
  if (isLeftOutElsewhere(sentence)) return true
  const object = sentence.slice(removed.exec(sentence)?.[0].length ?? sentence.length)
  if (anything.test(object) || beginsWithKindAlone(object)) return true
  const leftObject = leftOut.exec(sentence)?.groups?.object
  return (leftObject !== undefined && beginsWithKind(leftObject)) || isUnwantedByNo(sentence) || hasVerdict(sentence) ||
    deniedInTable.test(sentence)
}

/** What an unwanted sentence contrasts with it, which is wanted: "We do not want mice but macaques", "No reviews, only trials". */
const contrast = new CaselessPattern(
  '^(?<excluded>.{1,200}?)(?:[,;]? but (?:(?:rather|instead|only|just|do|we|i) )*(?:(?:am |are )?interested )?' +
    `(?:include|keep|want|focus on|concentrate on|in|on|only|just|rather)${end}|[,;]? and (?:only )?(?:include|keep|focus on|` +
    `concentrate on)${end}|, (?:only|just)${end})\\s*(?!if\\s|when\\s)(?<wanted>.+)$`, 'dsu'
)
const relative = new CaselessPattern(/(?<![a-zÀ-ɏ])(?:that|which|who|whose)(?![a-zÀ-ɏ])/u, 'u')
const contrastAfterNot = new CaselessPattern(/^not\s(?<excluded>.{1,100}?)[,\s]\s*but\s+(?!not\s|no\s|also\s+not\s)(?<wanted>.+)$/u, 'dsu')
/** Exclusions before the sentence that they restrict: "Apart from reviews, I want papers on sleep." */
const leading = new CaselessPattern(
  '^(?:excluding|except(?:ing)?(?: for)?|other than|apart from|aside from|with the exception of|without|ignoring|' +
    'omitting|leaving (?:out|aside))\\s[^.]{1,200}?, (?=(?:we|i|show|send|find|include|everything|anything|all (?:papers|studies|' +
    `trials|work|research)|any (?:papers?|stud(?:y|ies)|trials?|work|research))${end})`,
  'u'
)

/** What a sentence says is wanted: all of it, or a part of it, or nothing (undefined). */
export function wantedPart (sentence: string): string | undefined {
  const restricted = leading.exec(sentence)
  if (restricted !== null) return sentence.slice(restricted[0].length)
  if (!isUnwanted(sentence)) return sentence
  const { excluded = '', wanted } = (contrastAfterNot.exec(sentence) ?? contrast.exec(sentence))?.groups ?? {}
  return relative.test(excluded) ? undefined : wanted
}
