import type { StatedNotice, WatchedPaper } from '../../../db/queries/notice-checks.js'
import type { JsonObject } from '../../../schemas/json-object.js'
import { versionlessDoi } from '../../papers/doi-versions.js'
import { arxivDoi, doiIn, idsIn, pmcidIn, webAddress } from '../../papers/identifiers.js'
import { storableAddress } from '../../papers/record-limits.js'
import { createYielder } from '../../threads/yielder.js'
import { openalexCitations } from '../formats/citations.js'
import { object, objects, text, unexpectedAnswer } from '../requests/answers.js'
import { isRetractedWork, requestWorks, workPmcid } from '../requests/openalex-works.js'
import { readItems } from '../requests/read-answer.js'
import type { NoticeSource } from '../source.js'
import { arxivOnly, isArxivDoi, noticeCollection, statedNotice } from './stated.js'

const title = 'OpenAlex'
/** Values that one filter takes, and works on one page. */
const batchSize = 100
/** Locations of a work that are read. */
const maxLocations = 100

/** Types of OpenAlex's sources in which works are published; a repository may have any version. */
const publications: ReadonlySet<string> = new Set(['journal', 'conference', 'book series'])

/**
 * OpenAlex states that a work is retracted, without a notice or a date. It makes one work of a preprint and its published form, with a
 * location for each. It names cited works by its own ids alone: with the id of a watched paper and what that cites, found papers are linked
 * to it. Where the work can be read by everyone, a paper that another source or a file described becomes readable too.
 */
export const openalexNotices: NoticeSource = {
  identifiers: ['openalex', 'doi', 'arxiv', 'pmid', 'pmcid'],
  batchSize,
  statedAs: [{ name: 'openalex', title, precedence: 1, unconfirmedKinds: ['retraction'] }],
  async check (context, papers) {
    const found = noticeCollection(papers)
    // Works that OpenAlex has merged or deleted are not found by their former id.
    for (const [filter, idOf] of identifiersInOrder) {
      const values = papers.filter(({ id }) => !found.knows(id)).flatMap(paper => idOf(paper) ?? [])
      if (values.length === 0) continue
      const response = await requestWorks(context, {
        filter: `${filter}:${values.join('|')}`,
        select: 'id,doi,ids,type,is_retracted,best_oa_location,locations,referenced_works,cited_by_count',
        per_page: String(batchSize)
      })
      const { answer, items } = await readItems(response, title, { list: ['results'] }, context)
      if (!Array.isArray(answer.results)) throw unexpectedAnswer(title, 'a list of results', text(answer.message))
      const yieldIfDue = createYielder()
      for (const work of items.slice(0, batchSize)) {
        await yieldIfDue()
        if (typeof work.is_retracted !== 'boolean') continue
        const retraction = isRetractedWork(work) ? [statedNotice('openalex', 'retraction')] : []
        const locations = locationsIn(work)
        const id = /\bW\d{1,15}$/.exec(text(work.id))?.[0]
        const doi = doiIn(text(work.doi))
        const copy = openCopyOf(work)
        const links = (paper: WatchedPaper) =>
          ({ openalex: id, ...openalexCitations(work), ...(isOtherForm(paper, doi) ? {} : { openCopy: copy }) })
        const notices = (paper: WatchedPaper) => [...retraction, ...publishedForm(locations, paper)]
        if (filter === 'openalex' && id !== undefined) found.add('openalex', id, notices, links)
        const { pmid } = idsIn([text(object(work.ids).pmid)])
        if (filter === 'pmid' && pmid !== null) found.add('pmid', pmid, notices, links)
        const pmcid = workPmcid(work)
        if (filter === 'pmcid' && pmcid !== null) found.add('pmcid', pmcid, notices, links)
        if (filter === 'doi' && doi !== null) {
          found.add('doi', doi, notices, links)
          const { arxiv } = idsIn([doi])
          if (arxiv !== null) found.add('arxiv', arxiv, paper => paper.doi === null ? notices(paper) : undefined, links)
        }
      }
    }
    return found.checked()
  }
}

/** The DOI by which a paper is looked up; undefined without one. Commas and bars divide filters. */
function filterDoi ({ doi, arxiv }: WatchedPaper): string | undefined {
  return [doi ?? (arxiv === null ? '' : arxivDoi(arxiv))].find(each => each !== '' && !/[,|]/.test(each))
}

/** The filters by which papers are looked up: each finds those that the ones before did not. */
const identifiersInOrder = [
  ['openalex', ({ openalex }: WatchedPaper) => openalex !== null && /^W\d+$/.test(openalex) ? openalex : undefined],
  ['doi', filterDoi],
  ['pmid', ({ pmid }: WatchedPaper) => pmid],
  // OpenAlex has the digits alone.
  ['pmcid', ({ pmcid }: WatchedPaper) => pmcidIn(pmcid)?.slice('PMC'.length)]
] as const

/** Where everyone can read a work. */
const openCopyOf = (work: JsonObject) => ({
  pdf_url: storableAddress(webAddress(text(object(work.best_oa_location).pdf_url))),
  pmcid: workPmcid(work)
})

/** Whether a paper has another DOI than its work: it is the preprint where the work is the article, or the other way round. */
const isOtherForm = ({ doi }: WatchedPaper, workDoi: string | null): boolean =>
  doi !== null && workDoi !== null && versionlessDoi(doi) !== versionlessDoi(workDoi)

/** A place where a work can be read. */
interface Location { doi: string | null, arxiv: string | null, isPublished: boolean, isRepository: boolean }

const locationsIn = (work: JsonObject): Location[] => objects(work.locations).slice(0, maxLocations).map(location => {
  const address = text(location.landing_page_url)
  const type = text(object(location.source).type)
  return {
    doi: doiIn(address),
    arxiv: idsIn([address]).arxiv,
    isPublished: publications.has(type) && location.version === 'publishedVersion',
    isRepository: type === 'repository'
  }
})

/** The published form of a paper that is a repository's preprint among the work's locations. */
function publishedForm (locations: readonly Location[], paper: WatchedPaper): StatedNotice[] {
  const own = paper.doi === null || isArxivDoi(paper.doi) ? null : versionlessDoi(paper.doi)
  const arxiv = arxivOnly(paper)
  const isOwn = (location: Location) =>
    own === null ? arxiv !== null && location.arxiv === arxiv : location.doi !== null && versionlessDoi(location.doi) === own
  if (!locations.some(location => location.isRepository && isOwn(location))) return []
  const published = locations.find(location =>
    location.isPublished && location.doi !== null && !isOwn(location) && !isArxivDoi(location.doi))
  return published === undefined ? [] : [statedNotice('openalex', 'published', { doi: published.doi })]
}
