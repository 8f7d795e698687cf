import { beginsWithKind } from './study-words.js'

/* Boolean queries of databases, which people paste as an interest. */

const auxiliaries = 'am|are|can|could|did|do|does|is|must|shall|should|was|were|will|would'
/** NOT after AND is part of that operator, and after an auxiliary verb it is a word of a sentence: "I do NOT want (human) cells". */
const afterTerm = '(?<=[\\p{L}\\p{N})"*\\]])(?<!(?<!\\p{L})(?:AND|OR),?)' +
  `(?<!(?<!\\p{L})(?:${auxiliaries}|${auxiliaries.toUpperCase()}|Do|Does))`
/** A field before a group, by its sign or by its name in databases. A word with a space after it is a term: "NOT mice (Mus musculus)". */
const field = '(?:[A-Za-z_-]{2,20}(?::|\\s?=\\s?|(?=\\())|' +
  '(?:TITLE-ABS-KEY|TITLE-ABS|TITLE|ABS|(?:AUTH|INDEX)?KEY|AUTH|ALL|TI|AB|TX|SU|MH|MJ|AU|KW|TS)\\s(?=\\())'
/** "NOT", "AND NOT" and "ANDNOT" after a term and before a group, with its field if it has one: "NOT (", "NOT AUTH(". */
const negatedGroup = new RegExp(`${afterTerm}\\s+(?:(?:AND\\s+)?NOT|ANDNOT)\\s*(?:(?<=\\s)${field})?(?=\\()`, 'gu')
/** The same before a quoted phrase or a word, with its gloss in parentheses. NOT gates are a subject. */
const negatedTerm = new RegExp(
  `${afterTerm} (?:(?:AND )?NOT|ANDNOT) ?(?!(?:gates?|logic|circuits?|operat[a-z]+|functions?|elements?)(?![a-zÀ-ɏ]))` +
    '(?:"[^"]{1,200}"?|\'[^\']{1,200}\'(?:/[a-z]+)?|(?<= )[^\\s()"]+)(?: \\([^()]{1,200}\\))?', 'gu'
)
/** Characters of a group whose end is missing. */
const maxOpenLength = 300

/**
 * A text without the groups that its boolean query leaves out: "statins NOT (mice OR rats)". They may have several lines.
 * @param leaveOut takes each of them
 */
export function withoutNegatedGroups (text: string, leaveOut?: (excluded: string) => void): string {
  let kept = ''
  let from = 0
  const ends = groupEnds(text)
  for (const { index, 0: operator } of text.matchAll(negatedGroup)) {
    if (index < from) continue
    kept += text.slice(from, index)
    const begin = index + operator.length
    from = ends.get(begin) ?? endOfOpenGroup(text, begin)
    leaveOut?.(text.slice(begin, from))
  }
  return kept + text.slice(from)
}

/** A minus sign before a phrase, or before a word for a kind of papers, animals or people: `-"mouse model"`, "-reviews". */
const minusTerm = / -(?:"(?<phrase>[^"]{1,200})"|(?<word>\p{L}+)(?![\p{L}\p{N}-]))/gu

/** A criterion without the words and phrases that its boolean query leaves out: "statins NOT mice". */
export const withoutNegatedTerms = (criterion: string, leaveOut: (excluded: string) => string): string => criterion
  .replace(negatedTerm, leaveOut)
  .replace(minusTerm, (whole, phrase?: string, word?: string) => {
    if (phrase !== undefined) return leaveOut(phrase)
    return beginsWithKind(word!) ? leaveOut(word!) : whole
  })

/** Where each group ends, by where it begins. Those whose end is missing have none. */
function groupEnds (text: string): Map<number, number> {
  const ends = new Map<number, number>()
  const open: number[] = []
  for (const { index, 0: parenthesis } of text.matchAll(/[()]/g)) {
    if (parenthesis === '(') open.push(index)
    else if (open.length > 0) ends.set(open.pop()!, index + 1)
  }
  return ends
}

function endOfOpenGroup (text: string, begin: number): number {
  const lineEnd = text.indexOf('\n', begin)
  return Math.min(begin + maxOpenLength, lineEnd === -1 ? text.length : lineEnd)
}

/** Fields of PubMed after a term, and of Embase. */
const fieldsAfter = new RegExp(
  '(?<=["\\p{L}\\p{N}*)])\\[(?:tiab|ti|ab|tw|mesh|mh|majr|pt|ot|nm|sh|all|au|author|subheading|title|abstract|text word|all fields|' +
    'mesh terms|mesh major topic|title/abstract|publication type|other term)(?::noexp|:~\\d+)?\\]|' +
    '(?<=["\']):(?:ti|ab|kw)(?:,(?:ti|ab|kw))*|(?<=\\p{L}):(?:ti|ab|kw)(?:,(?:ti|ab|kw))+', 'giu'
)
/** Fields of PubMed whose terms limit by something else than a subject: "english[la]". */
const limit = /\[(?:filter|la|lang|language|ta|journal|ad|affiliation|[decp]dat|dp|date - [a-z]{2,12}|sb|subset)\]/gi
const limitWord = '(?!(?:AND|OR|NOT)\\s)[^\\s()[\\]"]{1,40}'
const limitTerm = `(?:"[^"]{1,80}"|${limitWord})`
/** The term before such a field, with the operator before it, or the end of a range. */
const limitingTerm = new RegExp(
  `(?:(?:^|(?<=\\()|(?<!\\S)(?:AND|OR|NOT) )(?:${limitTerm}|${limitWord}(?: ${limitWord}){1,3})| ?: ?${limitTerm}|(?<!\\S)${limitTerm})$`
)
const maxLimitingLength = 200
/** "[Pt]" is platinum. */
const element = /^\[[A-Z][a-z]\]$/
/** Fields of Scopus and Web of Science before a group. */
const fieldsBefore = /(?<![\p{L}-])(?:(?:TITLE-ABS-KEY|TITLE-ABS|TITLE|ABS|KEY|AUTHKEY|ALL)(?=\()|(?:TS|TI|AB|AK|KP|SU|ALL)=)/gu

/** A text without terms that limit by something else than a subject: "sleep AND english[la]". */
function withoutLimits (text: string): string {
  let kept = ''
  let from = 0
  for (const { index, 0: field } of text.matchAll(limit)) {
    if (element.test(field)) continue
    const [term = ''] = limitingTerm.exec(text.slice(Math.max(from, index - maxLimitingLength), index)) ?? []
    kept += text.slice(from, index - term.length)
    from = index + field.length
  }
  return kept + text.slice(from)
}

/** A text without the fields of a boolean query, which are no words of a subject: "sleep[tiab]", "TITLE-ABS-KEY(sleep)". */
export const withoutFields = (text: string): string =>
  withoutLimits(text).replace(fieldsAfter, field => element.test(field) ? field : '').replace(fieldsBefore, '')
