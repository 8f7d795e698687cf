import type { StatedNotice, WatchedPaper } from '../../../db/queries/notice-checks.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn } from '../../papers/identifiers.js'
import { unexpectedAnswer } from '../requests/answers.js'
import { parseArxivPage } from '../documents/arxiv-page.js'
import type { NoticeSource } from '../source.js'
import { dayIn, isNewVersion, isWithdrawn } from './preprints.js'
import { arxivOnly, isArxivDoi, noticeCollection, statedNotice } from './stated.js'
import { arxivAddress } from '../../papers/paper-address.js'

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
  async check (context, papers) {
    const { fetch, baseUrl } = context
    const found = noticeCollection(papers)
    // An invalid id makes arXiv reject all.
    const ids = [...new Set(papers.flatMap(({ arxiv }) => arxivIn(arxiv) ?? []))]
    if (ids.length === 0) return []
    const url = new URL(`${baseUrl}/api/query`)
    url.search = String(new URLSearchParams({ id_list: ids.join(','), max_results: String(ids.length) }))
    const { parsed, total, failure } = await parseArxivPage(await fetch(url), '', context)
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
  const isNew = isNewVersion({ version, date, reference: /^arxiv:.*v(\d+)$/ }, paper)
  // The withdrawal of a preprint says nothing about the article with which it was merged: it may be withdrawn because that appeared.
  const latest = isWithdrawn({ title, comment: metadata.comment, abstract, version }, 'arxiv')
    ? arxivOnly(paper) === null ? [] : [statedNotice('arxiv', 'withdrawal', { arxiv: id, date })]
    : isNew ? [statedNotice('arxiv', 'new_version', { arxiv: id, date })] : []
  return [...latest, ...published]
}

/** Tells the notice of a published form that authors cite without a DOI. It stays one when they reword the citation. */
const journalReference = 'journal'

/** Its address shows the citation. */
const publishedInJournal = (id: string): StatedNotice =>
  ({ ...statedNotice('arxiv', 'published'), reference: journalReference, url: arxivAddress(id.replace(/v\d+$/, '')) })

/** Authors cite the journal before the article is there, too. */
const unpublished = /\b(?:submitted|under review|in preparation|to appear|to be published|accepted|in press)\b/i

/** Whether arXiv cites a published form, and the stored record had none but what was stated as such: a later fetch may store that. */
const isInJournal = (journal: unknown, paper: WatchedPaper): boolean =>
  typeof journal === 'string' && journal.trim() !== '' && !unpublished.test(journal) &&
  (paper.stated.includes(journalReference) || (paper.journal_ref == null && (paper.doi === null || isArxivDoi(paper.doi))))
