import { LRUCache } from 'lru-cache'
import { listFollows } from '../../db/queries/follows.js'
import { listIdentifiers, listLikedWorks, listPeople, listReferences } from '../../db/queries/signals.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Signals } from '../../schemas/relevance.js'
import { citedIdsOf } from '../papers/cited-ids.js'
import { arxivDoi } from '../papers/identifiers.js'
import { type Followable, followMatcher } from '../papers/follows.js'
import { createYielder } from '../threads/yielder.js'
import { CitationLinker, type LikedWork, type Work } from './citation-links.js'

/** Liked papers that others are compared with. */
const maxLiked = 500
/** Papers read together: one may have thousands of authors and a thousand references. */
const batchSize = 100
/** References of liked papers that are looked up among the stored papers, those of the newest votes first. */
const maxResolved = 20_000
const resolvedTogether = 1000

/** Finds links between papers and a project besides words. */
export interface SignalReader {
  /** Adds their signals to stored papers that the caller has read. */
  ofPapers: <T extends { paper_id: string }>(papers: readonly T[]) => Promise<Array<T & { signals?: Signals }>>
  /** Adds their signals to records that are not stored yet. */
  ofRecords: (records: readonly PaperRecord[]) => Promise<Array<PaperRecord & { signals?: Signals }>>
}

/** The liked papers of a project, ready for comparison. */
interface LikedWorks { linker: CitationLinker, count: number }

async function readLikedWorks (db: Db, accountId: string, projectId: string): Promise<LikedWorks> {
  const liked = await listLikedWorks(db, accountId, projectId, maxLiked)
  const works: LikedWork[] = []
  const yieldIfDue = createYielder()
  for (const { title, starred, ...work } of liked) {
    await yieldIfDue()
    const { published_doi, preprint_doi } = work
    const stated = workOf(work)
    // Others cite a preprint under the DOI of its published form, and the other way around.
    works.push({ title, starred, ...stated, ids: [...stated.ids, ...[published_doi, preprint_doi].filter(doi => doi !== null)] })
  }
  const linker = new CitationLinker()
  const references = new Set(works.flatMap(({ cited }) => cited))
  for (const batch of batchesOf([...references].slice(0, maxResolved), resolvedTogether)) {
    for (const { doi, arxiv_id, pmid, openalex_id } of await listIdentifiers(db, accountId, citedIdsOf(batch))) {
      linker.addIdentifiers(idsOf(doi, arxiv_id, pmid, openalex_id))
    }
    await yieldIfDue()
  }
  for (const work of works) {
    await yieldIfDue()
    linker.add(work)
  }
  return { linker, count: liked.length }
}

function * batchesOf<T> (all: readonly T[], size: number): Iterable<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size)
}

/** Liked papers of the projects to which single papers were added lately. One project's can take tens of megabytes. */
const recentlyLiked = new LRUCache<string, Promise<LikedWorks>>({ max: 3, ttl: 5000, ttlAutopurge: true })

/**
 * A reader for a single paper. Its liked papers may be a few seconds old, so that a batch of votes reads them once; every vote has the feed
 * scored again.
 */
export const recentSignalReader = (db: Db, accountId: string, projectId: string): Promise<SignalReader> =>
  signalReader(db, accountId, projectId, async () => {
    const key = `${accountId} ${projectId}`
    const known = recentlyLiked.get(key)
    if (known !== undefined) return await known
    const read = readLikedWorks(db, accountId, projectId)
    recentlyLiked.set(key, read)
    read.catch(() => recentlyLiked.delete(key))
    return await read
  })

/** Reads what a project of the account follows, and what its liked papers cite. Without both, nothing else is read. */
export async function signalReader (
  db: Db,
  accountId: string,
  projectId: string,
  readLiked = () => readLikedWorks(db, accountId, projectId)
): Promise<SignalReader> {
  const follows = await listFollows(db, accountId, projectId)
  const { linker, count } = await readLiked()
  const findFollowed = followMatcher(follows)
  const signalsOf = (work: Work, people: Followable | undefined): { signals?: Signals } => {
    const citations = linker.find(work)
    const followed = people === undefined ? [] : findFollowed(people)
    if (citations === undefined && followed.length === 0) return {}
    return { signals: { ...(citations === undefined ? {} : { citations }), ...(followed.length === 0 ? {} : { follows: followed }) } }
  }
  return {
    async ofPapers (papers) {
      if (papers.length === 0 || follows.length + count === 0) return [...papers]
      const yieldIfDue = createYielder()
      const found: Array<typeof papers[number] & { signals?: Signals }> = []
      for (let from = 0; from < papers.length; from += batchSize) {
        const batch = papers.slice(from, from + batchSize)
        const ids = batch.map(({ paper_id }) => paper_id)
        const works = new Map(count === 0 ? [] : (await listReferences(db, ids)).map(row => [row.paper_id, row]))
        const people = new Map(follows.length === 0 ? [] : (await listPeople(db, ids)).map(row => [row.paper_id, row]))
        for (const paper of batch) {
          await yieldIfDue()
          const work = works.get(paper.paper_id)
          const signals = signalsOf(work === undefined ? { ids: [], cited: [] } : workOf(work), people.get(paper.paper_id))
          found.push({ ...paper, ...signals })
        }
      }
      return found
    },
    async ofRecords (records) {
      if (follows.length + count === 0) return [...records]
      const yieldIfDue = createYielder()
      const found: Array<PaperRecord & { signals?: Signals }> = []
      for (const record of records) {
        await yieldIfDue()
        const { doi, external_ids: { arxiv, pmid, openalex }, citations } = record
        const work = { ids: idsOf(doi, arxiv, pmid, openalex), cited: citations?.references ?? [] }
        found.push({ ...record, ...signalsOf(work, record) })
      }
      return found
    }
  }
}

interface StoredWork {
  paper_id: string
  doi: string | null
  arxiv_id: string | null
  pmid: string | null
  openalex_id: string | null
  cited: string | null
}

type Id = string | null | undefined

/** The identifiers by which references name a paper. */
const idsOf = (doi: Id, arxiv: Id, pmid: Id, openalex: Id): string[] =>
  [doi, arxiv == null ? null : arxivDoi(arxiv), pmid, openalex].filter(id => id != null)

const workOf = ({ paper_id, doi, arxiv_id, pmid, openalex_id, cited }: StoredWork): Work & { paper_id: string } => ({
  paper_id,
  ids: idsOf(doi, arxiv_id, pmid, openalex_id),
  cited: cited === null || cited === '' ? [] : cited.split(' ')
})
