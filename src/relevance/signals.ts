import { LRUCache } from 'lru-cache'
import { listFollows } from '../../db/queries/follows.js'
import { listIdentifiers, listLikedPapers, listPeople, listReferences } from '../../db/queries/signals.js'
import type { Db } from '../../db/connection.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Signals } from '../../schemas/relevance.js'
import { citedIdsOf, type WorkIds, workIdsOf } from '../papers/cited-ids.js'
import { type Followable, followMatcher } from '../papers/follows.js'
import { createYielder } from '../threads/yielder.js'
import { CitationLinker, type LikedWork, type Work } from './citation-links.js'

/** Liked papers that others are compared with. */
const maxLiked = 500
/** Liked papers whose references are read in one statement. */
const likedTogether = 50
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
  const liked = await listLikedPapers(db, accountId, projectId, maxLiked)
  const works: LikedWork[] = []
  const references = new Set<string>()
  const linker = new CitationLinker()
  const yieldIfDue = createYielder()
  for (const page of batchesOf(liked, likedTogether)) {
    const stored = new Map((await listReferences(db, page.map(({ paper_id }) => paper_id))).map(row => [row.paper_id, row]))
    for (const { paper_id, title, starred } of page) {
      await yieldIfDue()
      const row = stored.get(paper_id)
      if (row === undefined) continue
      const work = { title, starred, ...workOf(row) }
      works.push(work)
      linker.addIdentifiers(work.ids)
      for (const id of work.cited) {
        if (references.size >= maxResolved) break
        references.add(id)
      }
    }
  }
  for (const batch of batchesOf([...references], resolvedTogether)) {
    for (const row of await listIdentifiers(db, accountId, citedIdsOf(batch))) {
      await yieldIfDue()
      linker.addIdentifiers(workIdsOf(row))
    }
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
        const { doi, external_ids: { arxiv, pmid, openalex }, metadata: { published_doi, preprint_doi }, citations } = record
        const ids = workIdsOf({ doi, arxiv_id: arxiv, pmid, openalex_id: openalex, published_doi, preprint_doi })
        const work = { ids, cited: citations?.references ?? [] }
        found.push({ ...record, ...signalsOf(work, record) })
      }
      return found
    }
  }
}

const workOf = ({ paper_id, cited, ...ids }: WorkIds & { paper_id: string, cited: string | null }): Work & { paper_id: string } =>
  ({ paper_id, ids: workIdsOf(ids), cited: cited === null || cited === '' ? [] : cited.split(' ') })
