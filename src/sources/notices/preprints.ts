import type { WatchedPaper } from '../../../db/queries/notice-checks.js'
import { dayOf } from '../../../schemas/utc-time.js'
import { readDate } from '../../papers/stated-date.js'
import { capitalMark, withdrawnTitle } from './title-marks.js'

/* Later versions, as the records of preprint servers state them. */

/**
 * Whether a version is newer than the stored one, or, where the paper's record states none, than the paper. A later fetch may store the
 * new version: what was stated as new remains so, until the next.
 * @param latest the number and the day of a preprint's latest version, and how references of the source's notices state a version
 */
export function isNewVersion (
  { version, date, reference: form }: { version: number, date: string | null, reference: RegExp },
  { version: known, updated, created_at, stated }: WatchedPaper
): boolean {
  const isStated = stated.some(reference => Number(form.exec(reference)?.[1] ?? Infinity) <= version)
  if (version < 2) return false
  if (isStated || typeof known === 'number') return isStated || version > Number(known)
  return date !== null && date > (dayIn(updated) ?? dayOf(created_at))
}

/** The day of a time as records state it. */
export const dayIn = (time: unknown) => typeof time === 'string' ? readDate(time.slice(0, 10)) : null

/** A preprint server, by the name of its source. */
type PreprintServer = 'arxiv' | 'biorxiv' | 'medrxiv'

const workNoun = '(?:paper|article|preprint|manuscript|submission|work|version|draft|report|note)'
/**
 * Earlier versions, published forms and other papers may be withdrawn while this one is not: "a previous version of this paper was
 * withdrawn". An original proof or a first author is no other work.
 */
const otherWork = new RegExp(
  '\\b(?:previous(?:ly)?|earlier|prior|former(?:ly)?|old(?:er)?|original|first|second|another|other|companion|accompanying|related|' +
    '(?<!\\bthis\\s)(?:published|printed|journal|conference|proceedings|workshop))' +
  `\\s+(?:(?!(?:this|the|our|my|that)\\s)[\\w-]+\\s+){0,2}${workNoun}s?(?:\\s+of\\s+(?:this|the|our|my)\\s+(?:\\w+\\s+)?${workNoun})?$` +
  // A part of it: "the data of this paper", but not "the full text of this preprint".
  `|\\b(?!(?:text|version|v?\\d+)\\b)[\\w-]+\\s+(?:of|in|from)\\s+(?:this|our|my)\\s+${workNoun}$`,
  'i'
)

/** A withdrawal that was not the last word: "this paper was previously withdrawn". */
const atFirst = '(?:previous|former|initial|original|erroneous|mistaken|accidental|inadvertent|wrong|unintentional)ly'

/** What withdraws an article, and no preprint. Anyone else may be an author. */
const journals = '(?:journals?|editors?|editorial|publishers?|conference|organi[sz]ers|chairs|committee|' +
  'plos|springer|elsevier|wiley|ieee|acm|aps|nature|science|mdpi|hindawi|frontiers)'
const notByJournal = (server: PreprintServer) =>
  `(?!\\s+by\\s+(?:(?!(?:authors?|${server}|because|due|since|and|after|when|who)\\b)[\\w'’]+\\s+){0,3}${journals}\\b)`

/** The wording of withdrawals from a server. */
function wordingOf (server: PreprintServer) {
  /** Not from a conference, a journal or another server: the preprint remains. */
  const notElsewhere = `(?!\\s+from\\s+(?!(?:the\\s+)?${server}\\b))`
  const withdrawn = `withdrawn\\b${notElsewhere}${notByJournal(server)}`
  /** Not by a journal, which retracts its own article. */
  const retracted = `retracted\\b${notElsewhere}(?!\\s+by\\s+(?!(?:\\w+\\s+){0,3}(?:authors?|me|us|${server})\\b))`
  /** The server removes whole versions; others remove parts. */
  const removed = `removed\\s+(?:by|from)\\s+(?:the\\s+)?${server}\\b`
  return {
    leadingNotices: [
      // "Withdrawn due to an error", "v2: withdrawn", "arXiv admin note: withdrawn by arXiv", "12 pages, withdrawn".
      `^\\W*(?:(?:arxiv admin note|note|v\\d+|\\d+ (?:pages?|pp|figures?))\\W+)*(?:(?:${workNoun}|it has been|has been)\\s+)?` +
        `(?:${withdrawn}|withdraw(?:al|ing) (?:due|because)\\b)`,
      // Not "v1 removed by arXiv", which the next version states.
      `^\\W*(?:(?:arxiv admin note|note)\\W+)*(?:${workNoun}\\s+)?(?:${retracted}|${removed})`
    ].map(pattern => new RegExp(pattern, 'i')),
    /** A sentence after others: "14 pages. Withdrawn by the authors because of a gap". */
    laterNotice: new RegExp(
      `^\\W*withdrawn\\b${notByJournal(server)}\\s+(?!by\\s+(?:\\w+\\s+){1,3}from\\s+(?!(?:the\\s+)?${server}\\b))` +
        `(?:by|due|because|pending|from\\s+(?:the\\s+)?${server}\\b)`, 'i'
    ),
    /** Each with the work that it is about as the first group. */
    statements: [
      // "This paper has been withdrawn by the author"; "as been" is a common typing error.
      `\\b(${workNoun})\\s+(?:(?:has|have|as)\\s+(?:\\w+\\s+)?been|is(?:\\s+being)?|was|are|were)\\s+` +
        `(?:(?!${atFirst}\\b)(?:\\w+ly|now|being)\\s+)?` +
        `(?:${withdrawn}|${retracted}|${removed})`,
      // "This paper contains a serious error and has been withdrawn".
      `\\b(?:this|the|our)\\s+(${workNoun})\\s+(?:(?!submitted(?!\\s+(?:by\\s+mistake|in\\s+error)\\b)|accepted|presented)[\\w-]+\\s+)` +
        '{1,10}?and\\s+' +
        `(?:so\\s+|thus\\s+|therefore\\s+)?(?:has\\s+been|is|was)\\s+(?:(?:\\w+ly|now|being)\\s+)?${withdrawn}`,
      // "The authors have withdrawn this paper", "bioRxiv has withdrawn this article".
      `\\b(?<!\\bother\\s)(?:we|i|authors?(?:\\(s\\))?|${server})\\s+(?:(?:have|has|had|am|are|is)\\s+)?(?:\\w+ly\\s+|now\\s+)?` +
        '(?:(?:wish|want|would\\s+like)\\s+to\\s+)?' +
        `(?:withdr(?:aw(?:ing)?|ew|awn)|retract(?:ed|ing)?)\\s+(?:this|the|our|my|their)\\s+(${workNoun})\\b${notElsewhere}`
    ].map(pattern => new RegExp(pattern, 'gid')),
    leadingStatement: new RegExp([
      `^(?=.{0,60}(?:withdrawn|retracted by|removed by))\\W*(?:this|the|${server})\\s`,
      // Not "the paper was retracted in 2010", which is about another.
      `^\\W*this\\s+${workNoun}\\s+has\\s+been\\s+retracted\\b`,
      '^\\W*the\\s+authors?(?:\\(s\\))?\\s+(?:(?:have|has)\\s+)?(?:withdr|retract)\\w*\\s+(?:this|their)\\s'
    ].join('|'), 'i')
  }
}

const wordings = { arxiv: wordingOf('arxiv'), biorxiv: wordingOf('biorxiv'), medrxiv: wordingOf('medrxiv') }

/** A sentence of a comment, after others. */
const withdrawnAlone = /^\W*(?:(?:(?:this|the)\s+)?(?:paper|article|preprint|manuscript)\s+)?(?:withdrawn|retracted)\W*$/i
/** How the API of bioRxiv and medRxiv writes headings: "O_ST_ABSAimC_ST_ABSWe", "AbstractThis". */
const [headingMark, abstractHeading] = [/[OC]_ST_ABS/g, /^\s*(?:Abstract|ABSTRACT)(?![a-z])\W*/]
const withdrawalHeading = /^\W*withdrawal statement/i
const sentence = /[.;!?]\s+|\n/
/** Characters of a comment or abstract that are read. */
const maxNoticeLength = 1000

const taken = '(?:withdrawn|retracted|removed)'
/** Sentences on a withdrawal that has ended; not "withdrawn because the symmetry is restored", nor "withdrawn and resubmitted as …". */
const endings = [
  `\\b${taken}\\s+(?:in\\s+error|by\\s+(?:mistake|accident|error)|${atFirst})\\b(?!\\s+(?:bar|bound|estimate|term)s?\\b)`,
  `\\b${atFirst}\\s+${taken}\\b`,
  `\\b${taken}\\b(?:(?!\\b(?:because|due|(?<!\\bhas\\s)since|as|until|unless|pending|if|when|once|not|never|` +
    'will|would|may|can|cannot|to)\\b)[^.;]){0,100}?\\b(?:restored|reinstated)\\b',
  `\\b${taken}\\W+(?:(?:and|but|in\\s+v?\\d+)\\W+)*(?:then|later|subsequently)\\s+(?:re-?submitted|re-?posted|re-?uploaded)\\b` +
    '(?!\\s+(?:as|under|to|at|with)\\b)',
  `\\b${taken}\\b.{0,200}?\\b(?:fixed|corrected|repaired|resolved|filled)\\s+in\\s+(?:this|the\\s+(?:current|present))\\s+version\\b`
].map(pattern => new RegExp(pattern, 'i'))
/** A sentence that ends a withdrawal of which others tell: "This paper has been restored", "Now restored". */
const restored = new RegExp(
  `^\\W*(?:(?:now|note|it|v\\d+|(?:the|this)\\s+${workNoun})\\W+)*(?:(?:is|was|has(?:\\s+(?:now|since))?\\s+been)\\s+(?:now\\s+)?)?` +
    '(?:restored|reinstated)(?:\\W*$|\\s+(?:after|now|here|by|in|to|with|as|because|from)\\b)', 'i'
)
const withdrawnVersion = new RegExp(`\\b${taken}\\s+(?:in|as\\s+of)\\s+v(?:ersion\\s+)?(\\d+)`, 'i')

/** Whether a sentence says that an earlier version was withdrawn than one that the text names, or than the latest. */
function isOfEarlierVersion (sentence: string, text: string, version: number): boolean {
  const withdrawn = Number(withdrawnVersion.exec(sentence)?.[1] ?? Infinity)
  const named = [...text.matchAll(/\bv(?:ersion\s+)?(\d+)\b/gi)].map(([, number]) => Number(number))
  return withdrawn < Math.max(version, ...named)
}

/**
 * Whether the record of a preprint says that its version is withdrawn. Abstracts may be about withdrawal: only their beginning counts.
 * @param comment what the record says about the version, apart from its text
 * @param version the number of the version, if known
 */
export function isWithdrawn (
  { title, comment, abstract, version = 1 }: { title: string, comment: unknown, abstract: string | null, version?: number },
  server: PreprintServer
): boolean {
  const { leadingNotices, laterNotice, statements, leadingStatement } = wordings[server]
  const sentences = (written: unknown) => {
    const text = typeof written === 'string' ? written.slice(0, maxNoticeLength) : ''
    const all = text.split(sentence)
    const isOver = (each: string) => endings.some(ending => ending.test(each)) || isOfEarlierVersion(each, text, version)
    return all.some(each => restored.test(each)) ? [] : all.map(each => isOver(each) ? '' : each)
  }
  const states = (text: string) => statements.some(statement =>
    [...text.matchAll(statement)].some(({ indices }) => !otherWork.test(text.slice(0, indices![1]![1]))))
  const comments = sentences(comment)
  const [firstSentence = ''] = sentences(abstract?.replace(headingMark, ' ').replace(abstractHeading, ''))
  return withdrawnTitle.test(title) || capitalMark.test(title) || leadingNotices.some(notice => notice.test(comments[0] ?? '')) ||
    comments.some(each => withdrawnAlone.test(each) || laterNotice.test(each) || states(each)) ||
    withdrawalHeading.test(firstSentence) || /^\W*withdrawn\s+(?:by|due|because)\b/i.test(firstSentence) ||
    (states(firstSentence) && leadingStatement.test(firstSentence))
}
