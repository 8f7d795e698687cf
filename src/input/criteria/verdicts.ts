import { CaselessPattern } from './caseless-pattern.js'
import { beginsWithDocuments, beginsWithKind, beginsWithKindAlone, isGeneral, namesDocuments } from './study-words.js'

/* Sentences that say of their own subject that it is left out: "Genetics is out of scope", "Reviews will be excluded". */

/** Characters of such a sentence: long ones list kinds of papers. */
const maxLength = 500
/** Sentences up to this length may also be of other subjects, and have no verb before "excluded". */
const maxShortLength = 160
const end = '(?![-a-zÀ-ɏ])'
const verdictEnd = '(?: (?:here|too|as well|to (?:me|us)|for (?:me|us|this [a-z]+)|(?:from|of|in) (?:this|the|our|my) ' +
  '(?:review|feed|project|search|study|analysis|results|list)))?[.!;]?$'
/** Verdicts of any subject: "Genetics is out of scope." */
const outOfScope = new CaselessPattern(
  '(?:[-–—]|(?<![a-zÀ-ɏ])(?:is|are|be|falls?|lies?|also|all)) (?:out of scope|(?:outside|beyond|out of) (?:the|our|my|its) scope|' +
    `not of (?:any )?interest|of (?:no|little) interest|(?:not |un)wanted|not relevant|off[- ]topic)${verdictEnd}|` +
    ' (?:should|must|shall|(?:is|are) to) ' +
    `(?:be (?:excluded|omitted|ignored|skipped|left out|avoided)|not be (?:included|shown|considered))${verdictEnd}|` +
    ` do(?:es)?(?: not|n[’']t) interest (?:me|us)[.!;]?$| (?:is|are)n[’']t (?:relevant|of interest|wanted)${verdictEnd}`, 'u'
)
/** Verdicts that are subjects of research themselves, of people and things: only of kinds of papers. */
const excluded = new CaselessPattern(
  '(?<![-a-zÀ-ɏ]|(?<![a-zÀ-ɏ])(?:was|were|been|being|have|has)\\s)(?:(?:is|are|be) (?:also )?|need not be |[-–—]\\s*)?' +
    '(?:(?:to be )?(?:excluded|omitted|ignored|skipped|left out|out of scope|irrelevant)|' +
    `not (?:to be )?(?:included|considered|shown|needed|eligible)|(?<=not be )(?:included|shown|considered))${verdictEnd}`,
  'u'
)
/** Clauses and statements about others: "How migrants are excluded", "In most trials, women are ignored". */
const aboutOthers = new CaselessPattern(
  '(?<![-a-zÀ-ɏ])(?:how|why|when|whether|what|which|who|whose|whom|that|if|because|where|often|usually|frequently|' +
    'not)(?![-a-zÀ-ɏ])|^in\\s[^,]*,', 'u'
)
/** Everything of some kind. */
export const anything = new CaselessPattern(/^(?:everything|anything|those|these)(?![-a-zÀ-ɏ])/u, 'u')

export const isAboutOthers = (text: string): boolean => aboutOthers.test(text)

/** Whether a sentence says that its subject is left out. */
export function hasVerdict (sentence: string): boolean {
  if (sentence.length > maxLength || isAside(sentence)) return false
  return hasShortVerdict(sentence) || leavesKindOut(sentence) || leavesKindOutIf(sentence) || leftDocumentsOut(sentence) ||
    statesExclusions(sentence)
}

/** The last part of a sentence that is left out: "Adults with asthma, animal studies excluded". */
const aside = new CaselessPattern(
  '^(?<first>[^,]+),(?<middle>.*,)? (?<kind>[^,]+?) (?<verb>(?:is|are) )?' +
    '(?:excluded|not (?:included|wanted|relevant)|out of scope)[.!]?$', 'du'
)

/** An item of a list that a verdict is about as a whole: "Surgery, radiotherapy, animal studies are out of scope". */
const shortName = new CaselessPattern(
  /^\s*(?:(?!(?:of|in|on|with|for|from|about|at|by|to)\s)[^\s,]+\s?){0,3}$/u, 'u'
)

/** Whether the verdict of a sentence is that of its last part alone, and not of a list of kinds. */
function isAside (sentence: string): boolean {
  const { first, middle, kind, verb } = aside.exec(sentence)?.groups ?? {}
  if (first === undefined || kind === undefined || /(?:^|\s)(?:and|or|nor)\s/iu.test(kind)) return false
  const isOfList = middle !== undefined && verb !== undefined && `${first},${middle}`.split(',').every(part => shortName.test(part))
  return !isOfList && beginsWithKind(kind) && !beginsWithKindAlone(first)
}

function hasShortVerdict (sentence: string): boolean {
  if (sentence.length > maxShortLength) return false
  const verdict = outOfScope.exec(sentence) ?? excluded.exec(sentence)
  if (verdict === null) return false
  const about = sentence.slice(0, verdict.index).trim()
  if (about === '' || isAboutOthers(about) || (firstPerson.test(about) && /,|\s(?:but|and|while|whereas)\s/iu.test(about))) return false
  if (!outOfScope.test(sentence) && isOfLack(about)) return false
  return outOfScope.test(sentence) || anything.test(about) || about.toLowerCase().split(/[\s,:]+/u).some(isGeneral)
}

/** "We study adults, and children are excluded" is about adults. */
const firstPerson = new CaselessPattern(/^(?:we|i)\s(?!think|believe|feel)/u, 'u')

const planned = '(?:will|shall|should|must)(?: also| all)?'
const leftOut = '(?:excluded|omitted|ignored|skipped|avoided|left out)'
const notTaken = '(?:included|considered|eligible)'
const statedOfKind = new CaselessPattern(
  `^(?<about>.+?) (?:(?<planned>${planned} (?:be ${leftOut}|not be ${notTaken}))|` +
    `(?:are|is)(?: also| all)? (?:to be )?(?:${leftOut}|not ${notTaken}|out of scope|not relevant|not wanted|not of interest))` +
    verdictEnd, 'du'
)
/** What follows the kind: "Papers that use mice", "Trials in which mice were used", "Papers not in English". */
const clause = new CaselessPattern(
  '\\s(?<word>(?:(?:in|for|of|on|with|from|to) )?(?:which|whom)|that|who|whose|where|not)\\s(?<body>.+)$', 'du'
)
/** Participles between a kind and what is said of it: "Articles published before 2000". */
const participle = new CaselessPattern(
  '\\s(?:published|written|conducted|performed|reported|dealing|reporting|describing|focusing|aged|older|younger|under|over|' +
    `only)${end}`, 'u'
)
/** A verdict may belong to a clause within the clause, which is about others: "Papers that argue women should be excluded". */
const innerClause = new CaselessPattern(
  '(?<![-a-zÀ-ɏ])(?:how|why|when|whether|what|which|who|whom|whose|that|if|because|where|often|usually|frequently|' +
    '(?:argu|show|suggest|claim|think|believ|sa(?:y|id)|f(?:ind|ound)|conclud|demonstrat|reveal|assum|feel|felt|fear|prov|ensur)[a-z]*)' +
    `${end}|(?<![-a-zÀ-ɏ])(?:they|it|he|she|we|you|i|there|and|or|but|then)$`, 'u'
)
const form = '(?:an? |any |the )?(?:available |accessible |english )*(?:full[- ]?texts?|abstracts?|peer|access)(?![a-zÀ-ɏ])'
/** What a paper lacks is wanted: "Studies that do not report mortality are excluded". Its language and form are no subjects. */
const lack = new CaselessPattern(
  '(?<![-a-zÀ-ɏ])(?:not(?! (?:in|written|published|available|accessible|peer)(?![a-zÀ-ɏ]))|' +
    `(?:do|does|did|is|are|was|were|have|has)n[’']t|(?:no|without|lack(?:s|ed|ing)?)(?! ${form})|fail(?:s|ed|ing)?)${end}`, 'u'
)
/** Whether all that a list names lacks something, and not only a part of it: "reviews and trials without a control group". */
const isOfLack = (text: string): boolean =>
  lack.test(text) && !text.split(listSeparator).some(part => !lack.test(part) && beginsWithKindAlone(part))
const listSeparator = /\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or)\s+/iu

/** The participants of studies. "Children who have asthma are excluded" may be a finding. */
const participants = new CaselessPattern(/(?<![-a-zÀ-ɏ])(?:patients|participants|volunteers|subjects)$/u, 'u')
const auxiliary = new CaselessPattern(/(?<![-a-zÀ-ɏ])(?:is|are|was|were|has|have|had)\s/u, 'u')

/** Whether a kind of papers or participants is left out, which a clause may describe, or several of them are. */
function leavesKindOut (sentence: string): boolean {
  const { about, planned } = statedOfKind.exec(sentence)?.groups ?? {}
  if (about === undefined || firstPerson.test(about)) return false
  const { index, groups: { word, body } = {} } = clause.exec(about) ?? { index: about.length }
  const head = about.slice(0, index)
  if (isAboutOthers(head) || isOfLack(head) || !beginsWithKind(head.slice(0, participle.exec(head)?.index ?? head.length))) return false
  if (word === undefined || body === undefined) return true
  if (innerClause.test(body) || lack.test(word === 'not' ? `not ${body}` : body)) return false
  if (planned === undefined && !beginsWithDocuments(head) && !participants.test(head)) return false
  // The verdict of "Trials in which women are excluded" is that of the clause.
  return /^(?:that|which|who|not)$/iu.test(word) || auxiliary.test(body)
}

const stated = `(?<verb>${planned} (?:be (?:excluded|omitted|ignored)|not be ${notTaken})|` +
  `(?:are|is|was|were)(?: also)? (?:to be )?(?:excluded|not ${notTaken}))`
const conditional = new CaselessPattern(
  `^(?<kind>.{1,80}?) ${stated},? (?<word>if|when|where|because|unless|as|since|due to|owing to|during|at|but|although|though)${end} ` +
    '(?<condition>.+)$', 'dsu'
)
const general = new CaselessPattern(
  '^(?:(?:all|any|the|other|these|those) )*' +
    '(?:studies|papers|articles|publications|trials|records|reports|works?|research|literature)$', 'u'
)

/** Whether a condition leaves papers out: "Studies will be excluded if they are reviews". */
function leavesKindOutIf (sentence: string): boolean {
  const { kind, verb, word, condition } = conditional.exec(sentence)?.groups ?? {}
  if (kind === undefined || isAboutOthers(kind) || firstPerson.test(kind) || !beginsWithKind(kind)) return false
  // "Women are excluded when they are pregnant" is a finding.
  if (/^(?:are|is|was|were)\s(?!to\s)/iu.test(verb!) && !(beginsWithDocuments(kind) && /^(?:if|unless)$/iu.test(word!))) return false
  // What papers lack is wanted: "Studies will be excluded unless they report mortality".
  return /^unless$/iu.test(word!) ? !general.test(kind) : !(/^(?:if|when|where)$/iu.test(word!) && lack.test(condition!))
}

const past = new CaselessPattern(
  `^(?<about>.+?) (?:was|were|have been)(?: also| all)? (?:excluded|not ${notTaken})${verdictEnd}`, 'du'
)

/** What is said of documents after their kind: "Studies in animals". */
const ofDocuments = /\s(?:in(?!\s+(?:vitro|vivo|silico|situ)(?!\p{L}))|on|of|with|using|involving|published|written)\s.*$/isu

/** Whether kinds of documents were left out: "Case reports were excluded". What was done to participants is a finding. */
function leftDocumentsOut (sentence: string): boolean {
  const { about } = past.exec(sentence)?.groups ?? {}
  return about !== undefined && namesDocuments(about.replace(ofDocuments, ''))
}

const exclusions = new CaselessPattern(
  '^(?<whose>(?:(?:the|our|my|key|main|major|further|other) )*)(?:exclusion criteri(?:a|on)|criteri(?:a|on) for exclusion) ' +
    `(?:(?<lists>(?:will |also )?(?:include|comprise)[ds]?)|(?<present>is|are)|was|were)${end}` +
    `(?!\\s(?:often|usually|frequently|rarely)${end})` +
    '\\s?(?<named>.*)$', 'dsu'
)

/** A list, rather than a statement: "were pregnancy and stroke", but not "are a barrier to diversity". */
const isList = (text: string): boolean =>
  /,|\s(?:and|or)\s/iu.test(text) && !/^(?:an?|the|not|too|so|very|more|less|\p{L}+ed)\s|(?<!\p{L})\p{L}+ly\s/iu.test(text)

/** Whether a sentence lists exclusions: "Exclusion criteria include animal studies". Others are about such criteria. */
function statesExclusions (sentence: string): boolean {
  const { whose, lists, present, named } = exclusions.exec(sentence)?.groups ?? {}
  if (named === undefined) return false
  return lists !== undefined || /(?:our|my)\s/iu.test(whose ?? '') || beginsWithKind(named) ||
    (isList(named) && (present === undefined || named.includes(',')))
}
