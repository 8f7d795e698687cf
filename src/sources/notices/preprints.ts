import type { WatchedPaper } from '../../../db/queries/notice-checks.js'
import { readDate } from '../formats/dates.js'

/* What the records of preprint servers say about later versions. */

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
  return date !== null && date > (dayIn(updated) ?? created_at.toISOString().slice(0, 10))
}

/** The day of a time as records state it. */
export const dayIn = (time: unknown) => typeof time === 'string' ? readDate(time.slice(0, 10)) : null

const workNoun = '(?:paper|article|preprint|manuscript|submission|work|version|draft|report|note)'
/** Not “withdrawn from” a conference or a journal: the preprint remains. */
const withdrawn = 'withdrawn\\b(?!\\s+from\\s+(?!arxiv\\b))'
/** "Withdrawn due to an error", "v2: withdrawn", "arXiv admin note: withdrawn by arXiv". */
const leadingNotice = new RegExp(
  `^\\W*(?:(?:arxiv admin note|note|v\\d+)\\W+)*(?:${workNoun}\\s+)?(?:${withdrawn}|withdrawal (?:due|because)\\b)`,
  'i'
)
/** "This paper has been withdrawn by the author"; "as been" is a common typing error. */
const passiveStatement = new RegExp(
  `\\b${workNoun}\\s+(?:(?:has|have|as)\\s+(?:\\w+\\s+)?been|is(?:\\s+being)?|was|are|were)\\s+(?:(?:\\w+ly|now|being)\\s+)?` + withdrawn,
  'i'
)
/** "The authors have withdrawn this paper". */
const activeStatement = new RegExp(
  '\\b(?:we|i|authors?)\\s+(?:(?:have|has|had)\\s+)?(?:\\w+ly\\s+|now\\s+)?' +
  `withdr(?:aw|ew|awn)\\s+(?:this|the|our|my|their)\\s+${workNoun}\\b(?!\\s+from\\s+(?!arxiv\\b))`,
  'i'
)
/** Earlier versions and other papers may be withdrawn while this one is not. */
const otherWork = /\b(?:previous(?:ly)?|earlier|prior|former(?:ly)?|old(?:er)?|original|first|another|other)\b.*withdr/i
const sentence = /[.;!?]\s+|\n/
/** Characters of a comment or abstract that are read. */
const maxNoticeLength = 1000

/** Whether the record of a preprint says that its version is withdrawn. Abstracts may be about withdrawal: only their beginning counts. */
export function isWithdrawn (title: string, comment: unknown, abstract: string | null): boolean {
  const sentences = (text: unknown) => typeof text === 'string' ? text.slice(0, maxNoticeLength).split(sentence) : []
  const states = (text: string) => !otherWork.test(text) && (passiveStatement.test(text) || activeStatement.test(text))
  const [firstSentence = ''] = sentences(abstract)
  const comments = sentences(comment)
  return /^\W*withdrawn\W*$|[([]withdrawn[)\]]\W*$/i.test(title) || leadingNotice.test(comments[0] ?? '') || comments.some(states) ||
    /^\W*withdrawn\s+(?:by|due|because)\b/i.test(firstSentence) ||
    (states(firstSentence) && /^\W*(?:this|the)\s/i.test(firstSentence) && /^.{0,60}withdrawn/i.test(firstSentence))
}
