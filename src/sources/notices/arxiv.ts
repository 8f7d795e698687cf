import type { StatedNotice, WatchedPaper } from '../../../db/queries/notices.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn } from '../../papers/identifiers.js'
import { unexpectedAnswer } from '../requests/answers.js'
import { parseArxivPage } from '../documents/arxiv-page.js'
import { readDate } from '../formats/dates.js'
import type { NoticeSource } from '../source.js'
import { isArxivDoi, noticeCollection, statedNotice } from './stated.js'

/** Ids of one request. */
const batchSize = 100

/**
 * arXiv lists the latest version of a preprint, with the DOI or the citation of its published form where the authors state one, and a
 * comment that says so where they or arXiv withdrew it. It leaves out ids that it does not know.
 * @see https://info.arxiv.org/help/withdraw.html
 */
export const arxivNotices: NoticeSource = {
  identifiers: ['arxiv'],
  batchSize,
  statedAs: [{ name: 'arxiv', title: 'arXiv', precedence: 2 }],
  async check ({ fetch, baseUrl }, papers) {
    const found = noticeCollection(papers)
    // An invalid id makes arXiv reject all.
    const ids = [...new Set(papers.flatMap(({ arxiv }) => arxiv !== null && arxivIn(arxiv) === arxiv ? [arxiv] : []))]
    if (ids.length === 0) return []
    const url = new URL(`${baseUrl}/api/query`)
    url.search = String(new URLSearchParams({ id_list: ids.join(','), max_results: String(ids.length) }))
    const { parsed, total, failure } = await parseArxivPage(await fetch(url), '')
    const records = parsed.flatMap(each => 'record' in each ? [each.record] : [])
    if (failure !== undefined || records.length < Math.min(total, ids.length)) {
      throw unexpectedAnswer('arXiv', 'all records of a list', failure ?? `${records.length} of ${total}`)
    }
    for (const record of records) {
      const { external_ids: { arxiv }, metadata: { version } } = record
      if (arxiv == null || typeof version !== 'number') continue
      found.add('arxiv', arxiv, paper => noticesIn(record, `${arxiv}v${version}`, version, paper))
    }
    return found.checked()
  }
}

/** @param id the arXiv id of the record with its version */
function noticesIn ({ title, abstract, doi, metadata }: PaperRecord, id: string, version: number, paper: WatchedPaper): StatedNotice[] {
  const date = dayIn(metadata.updated)
  const isKnownForm = paper.doi !== null && !isArxivDoi(paper.doi) &&
    !paper.stated.some(reference => reference.startsWith('doi:') || reference === journalReference)
  const published = doi !== null && !isArxivDoi(doi)
    ? isKnownForm ? [] : [statedNotice('arxiv', 'published', { doi })]
    : isInJournal(metadata.journal_ref, paper) ? [publishedInJournal(id)] : []
  const latest = isWithdrawn(title, metadata.comment, abstract)
    ? [statedNotice('arxiv', 'withdrawal', { arxiv: id, date })]
    : isNew(version, date, paper) ? [statedNotice('arxiv', 'new_version', { arxiv: id, date })] : []
  return [...latest, ...published]
}

/** Tells the notice of a published form that authors cite without a DOI. It stays one when they reword the citation. */
const journalReference = 'journal'

/** Its address shows the citation. */
const publishedInJournal = (id: string): StatedNotice =>
  ({ ...statedNotice('arxiv', 'published'), reference: journalReference, url: `https://arxiv.org/abs/${id.replace(/v\d+$/, '')}` })

/** Authors cite the journal before the article is there, too. */
const unpublished = /\b(?:submitted|under review|in preparation|to appear|to be published|accepted|in press)\b/i

/** Whether arXiv cites a published form, and the stored record had none but what was stated as such: a later fetch may store that. */
const isInJournal = (journal: unknown, paper: WatchedPaper): boolean =>
  typeof journal === 'string' && journal.trim() !== '' && !unpublished.test(journal) &&
  (paper.stated.includes(journalReference) || (paper.journal_ref == null && (paper.doi === null || isArxivDoi(paper.doi))))

/**
 * Whether a version is newer than the stored one, or, where the paper's record states none, than the paper. A later fetch may store the
 * new version: what was stated as new remains so, until the next.
 */
function isNew (version: number, date: string | null, { version: known, updated, created_at, stated }: WatchedPaper): boolean {
  const isStated = stated.some(reference => Number(/^arxiv:.*v(\d+)$/.exec(reference)?.[1] ?? Infinity) <= version)
  if (version < 2) return false
  if (isStated || typeof known === 'number') return isStated || version > Number(known)
  return date !== null && date > (dayIn(updated) ?? created_at.toISOString().slice(0, 10))
}

const dayIn = (time: unknown) => typeof time === 'string' ? readDate(time.slice(0, 10)) : null

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
  `withdr(?:aw|ew|awn)\\s+(?:this|the|our|my)\\s+${workNoun}\\b(?!\\s+from\\s+(?!arxiv\\b))`,
  'i'
)
/** Earlier versions and other papers may be withdrawn while this one is not. */
const otherWork = /\b(?:previous(?:ly)?|earlier|prior|former(?:ly)?|old(?:er)?|original|first|another|other)\b.*withdr/i
const sentence = /[.;!?]\s+|\n/
/** Characters that are read of a comment or abstract. */
const maxNoticeLength = 1000

/** Whether arXiv's record says that its version is withdrawn. Abstracts may be about withdrawal: only their beginning counts. */
function isWithdrawn (title: string, comment: unknown, abstract: string | null): boolean {
  const sentences = (text: unknown) => typeof text === 'string' ? text.slice(0, maxNoticeLength).split(sentence) : []
  const states = (text: string) => !otherWork.test(text) && (passiveStatement.test(text) || activeStatement.test(text))
  const [firstSentence = ''] = sentences(abstract)
  const comments = sentences(comment)
  return /^\W*withdrawn\W*$|[([]withdrawn[)\]]\W*$/i.test(title) || leadingNotice.test(comments[0] ?? '') || comments.some(states) ||
    /^\W*withdrawn\s+(?:by|due|because)\b/i.test(firstSentence) ||
    (states(firstSentence) && /^\W*(?:this|the)\s/i.test(firstSentence) && /^.{0,60}withdrawn/i.test(firstSentence))
}
