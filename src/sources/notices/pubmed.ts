import type { StatedNotice, WatchedPaper } from '../../../db/queries/notice-checks.js'
import type { NoticeKind } from '../../../schemas/notice.js'
import { doiIn, pmcidIn, pmidIn } from '../../papers/identifiers.js'
import { createYielder } from '../../threads/yielder.js'
import { textPieces } from '../requests/answer-task.js'
import { jsonOf, object, text, textOf as bodyOf, unexpectedAnswer } from '../requests/answers.js'
import { efetchHead } from '../requests/efetch-answer.js'
import { requestEutils } from '../requests/eutils.js'
import { readPartialDate } from '../../papers/stated-date.js'
import { articleDoi, articlePmcid, isRetracted } from '../formats/pubmed-xml.js'
import { type XmlElement, child, children, readElements, textOf } from '../formats/xml.js'
import type { NoticeSource, SourceContext } from '../source.js'
import { noticeCollection, statedNotice } from './stated.js'
import { markInTitle } from './title-marks.js'

const title = 'PubMed'
const batchSize = 200
/** Size of an esearch response, which has at most twice as many ids: a DOI and a PMCID of each paper are searched. */
const maxSearchBytes = 1024 * 1024

/** PubMed's links to notices on an article. @see https://www.nlm.nih.gov/bsd/policy/errata.html */
const kinds: Readonly<Record<string, NoticeKind>> = {
  RetractionIn: 'retraction',
  RetractedandRepublishedIn: 'retraction',
  PartialRetractionIn: 'partial_retraction',
  ExpressionOfConcernIn: 'expression_of_concern',
  ErratumIn: 'correction',
  CorrectedandRepublishedIn: 'correction',
  UpdateIn: 'new_version',
  RepublishedIn: 'new_version'
}

/**
 * Records name their notices; a retracted article may state only that it is one. Articles without a PMID are found by their DOI or PMCID.
 */
export const pubmedNotices: NoticeSource = {
  identifiers: ['pmid', 'doi', 'pmcid'],
  batchSize,
  statedAs: [{ name: 'pubmed', title, precedence: 4 }],
  async check (context, papers) {
    const found = noticeCollection(papers)
    const read = async (pmids: readonly string[], searched: readonly WatchedPaper[]) => {
      const dois = searched.flatMap(({ doi }) => doi !== null && !/["\s[\]]/.test(doi) ? doi : [])
      const pmcids = searched.flatMap(({ pmcid }) => pmcidIn(pmcid) ?? [])
      const terms = [...dois.map(doi => `"${doi}"[doi]`), ...pmcids.map(pmcid => `${pmcid}[pmcid]`)]
      const ids = [...new Set([...pmids, ...await findIds(context, terms)])]
      const records = ids.length === 0 ? [] : await fetchRecords(context, ids)
      for (const { pmid, pmcid, notices } of records) {
        if (pmid !== null) found.add('pmid', pmid, notices)
        if (pmcid !== null && pmcids.includes(pmcid)) found.add('pmcid', pmcid, notices)
      }
      for (const doi of new Set(dois)) {
        const ofDoi = records.filter(record => record.doi === doi && !record.isNotice)
        if (ofDoi.length > 0) found.add('doi', doi, statedByAll(ofDoi.map(({ notices }) => notices)))
      }
    }
    await read(papers.flatMap(({ pmid }) => pmid ?? []), papers.filter(({ pmid }) => pmid === null))
    // A record that PubMed has deleted, as a duplicate of another, is not found by its id.
    const missing = papers.filter(({ id, pmid }) => pmid !== null && !found.knows(id))
    if (missing.length > 0) await read([], missing)
    return found.checked()
  }
}

/**
 * The notices of a DOI that several records may have: some journals give one to all letters on an article. Each of them must state a notice
 * of the kind.
 */
const statedByAll = ([first = [], ...others]: ReadonlyArray<readonly StatedNotice[]>): StatedNotice[] =>
  first.filter(({ kind }) => others.every(notices => notices.some(notice => notice.kind === kind)))

/** The records of ids, with their notices. PubMed leaves out ids that it does not know. */
async function fetchRecords (
  context: SourceContext,
  ids: readonly string[]
): Promise<Array<{ pmid: string | null, pmcid: string | null, doi: string | null, isNotice: boolean, notices: StatedNotice[] }>> {
  const answer = await requestEutils(context, 'efetch', { id: ids.join(','), retmode: 'xml' })
  const head = efetchHead(answer)
  if (head === undefined) return []
  if (!/<PubmedArticleSet[\s>]/.test(head)) throw unexpectedAnswer(title, 'a set of records', head)
  const xml = bodyOf(answer, title)
  const records = []
  for await (const item of readElements(textPieces(xml, createYielder()), new Set(['PubmedArticle']))) {
    if ('fault' in item) {
      // The records that follow a syntax error are lost.
      if (item.ended) throw unexpectedAnswer(title, 'valid XML', item.fault)
      continue
    }
    const citation = child(item.element, 'MedlineCitation')
    const [pmid, pmcid] = [pmidIn(textOf(child(citation, 'PMID'))), articlePmcid(item.element)]
    records.push({ pmid, pmcid, doi: articleDoi(item.element), isNotice: isNotice(citation), notices: noticesIn(citation) })
  }
  // PubMed hardly lost all of them. Halves tell.
  if (records.length === 0 && ids.length > 1) throw unexpectedAnswer(title, `any of ${ids.length} records`, head)
  return records
}

/** Links of a record that are read. Real ones have a few. */
const maxNotices = 500

const publicationTypes = (citation: XmlElement | undefined) =>
  children(child(citation, 'Article', 'PublicationTypeList'), 'PublicationType').map(textOf)

/** Whether a record is of a notice on an article. */
const isNotice = (citation: XmlElement | undefined): boolean =>
  publicationTypes(citation).some(type => /^(?:retraction of publication|published erratum)$/i.test(type))

function noticesIn (citation: XmlElement | undefined): StatedNotice[] {
  const types = publicationTypes(citation)
  const isPreprint = types.includes('Preprint')
  const links = children(child(citation, 'CommentsCorrectionsList'), 'CommentsCorrections').slice(0, maxNotices)
  const tellApart = createReferences()
  const notices = links.flatMap(link => {
    const type = link.attributes.RefType ?? ''
    if (!Object.hasOwn(kinds, type)) return []
    const kind = kinds[type]!
    const citedAs = textOf(child(link, 'RefSource'))
    const date = dateIn(citedAs)
    const notice = { pmid: pmidIn(textOf(child(link, 'PMID'))), doi: doiIn(citedAs), date }
    // The article that is named takes the place of the retracted one.
    if (type === 'RetractedandRepublishedIn') {
      return [statedNotice('pubmed', 'retraction', { date }), statedNotice('pubmed', 'new_version', notice)]
    }
    return [tellApart(statedNotice('pubmed', kind === 'new_version' && isPreprint ? 'published' : kind, notice), citedAs)]
  })
  if (notices.some(({ kind }) => kind === 'retraction')) return notices
  // The publisher may have replaced the article by a statement, without a notice. The record of a notice quotes the title of its article.
  const marked = isNotice(citation) ? undefined : markInTitle(textOf(child(citation, 'Article', 'ArticleTitle')))
  const alone = isRetracted(citation) ? 'retraction' : marked
  return alone === undefined ? notices : [...notices, statedNotice('pubmed', alone)]
}

/**
 * Tells notices without an identifier apart that have one date, such as two errata in an issue: further ones by their citations. The first
 * keeps the date as its reference: if it is the only one, a change of its citation makes no new notice.
 */
function createReferences () {
  const citations = new Map<string, string[]>()
  return (notice: StatedNotice, citedAs: string): StatedNotice => {
    if (notice.doi !== null || notice.pmid !== null) return notice
    const key = `${notice.kind} ${notice.reference}`
    const plain = citedAs.slice(0, maxCitationLength).toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
    const known = citations.get(key) ?? []
    if (!known.includes(plain)) citations.set(key, [...known, plain])
    return known.length === 0 || known[0] === plain ? notice : { ...notice, reference: `${notice.reference} ${plain}`.trim() }
  }
}

/** Characters of a citation that tell notices apart. An index takes references of up to 2.7 kB. */
const maxCitationLength = 200

/** A year, with months, seasons and days or ranges of them: "2023 Jul 20", "2021 Feb-Mar", "2021 Feb 28-Mar 5", "1998 Dec-1999 Jan". */
const citedDate = /\.\s+(\d{4}(?:[\s/-]+(?:[A-Z][a-z]{2,8}|\d{4}(?!\d)|\d{1,2}(?!\d)))*)\s*[;:.]/

/** The date in "Cell. 2023 Jul 20;186(15):3307. doi: 10.1016/…"; of a range, its first day. */
const dateIn = (citedAs: string) => readPartialDate(citedDate.exec(citedAs.slice(0, 500))?.[1])

/** The PMIDs of articles that one of these terms finds, in one request. */
async function findIds (context: SourceContext, terms: readonly string[]): Promise<string[]> {
  if (terms.length === 0) return []
  const parameters = { term: terms.join(' OR '), retmax: String(2 * batchSize), retmode: 'json' }
  const response = await requestEutils(context, 'esearch', parameters, maxSearchBytes)
  const answer = jsonOf(response, title)
  const { idlist } = object(answer.esearchresult)
  if (!Array.isArray(idlist)) throw unexpectedAnswer(title, 'a list of ids', text(answer.error))
  return idlist.map(text).filter(id => /^\d{1,12}$/.test(id)).slice(0, 2 * batchSize)
}
