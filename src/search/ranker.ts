import { minuteMs } from '../../schemas/durations.js'
import { bytesPerMebibyte } from '../../schemas/mebibytes.js'
import type { FeedScope } from '../../schemas/search-filter.js'
import type { PartKey } from '../../schemas/search-index.js'
import { createYielder } from '../threads/yielder.js'
import { WorkerPool } from '../threads/worker-pool.js'
import { copyOf } from './indexer.js'
import { isNamesPart } from './names.js'
import { type NamesAnswer, type NamesRequest, type RankingAnswer, type RankingRequest, runRanking } from './ranking-task.js'
import type { Page, RankedItem } from './ranking.js'
import { partCacheLimit } from './segment-cache.js'
import { SegmentReplaced } from './segment-reader.js'
import type { ItemText, SearchStorage } from './storage.js'

/** A task of the thread. */
export type RankerTask = RankingRequest | NamesRequest

/** One thread, because each thread has its own cache. Accounts are scheduled round-robin. */
const threads = new WorkerPool<RankerTask, RankingAnswer | NamesAnswer>({
  name: 'Search',
  program: new URL('./ranking-thread.js', import.meta.url),
  timeoutMs: 20_000,
  maxHeapMb: 256 + Math.floor(partCacheLimit / bytesPerMebibyte),
  idleTimeoutMs: minuteMs
})

/**
 * Documents, words and characters of texts of a search that takes a few milliseconds. A thread for it would start as long and take 9 MB,
 * which small services do without.
 */
const [maxInlineDocuments, maxInlineWords, maxInlineText] = [400, 100_000, 40_000]

/** Parts of one statement; those with names are larger. */
const [partsPerRead, namePartsPerRead] = [256, 4]
const uuidLength = 36

/** Items in the form in which the thread sends them: objects of all items of a large feed would block the event loop. */
export type RankedList = Extract<RankingAnswer, { ids: string }>

/** An item of such a list, with its shares of the terms if the search was asked for them. */
export interface ListedItem extends RankedItem { shares?: Float32Array | undefined }

/** Gives any page of the results. */
export type Ranking = (page: Page) => Promise<RankedList>

/** The items of a list from one position to another. */
export function rankedItems ({ ids, hasAllTerms, comparison }: RankedList, from = 0, to = hasAllTerms.length): ListedItem[] {
  const termCount = comparison?.termWeights.length ?? 0
  return Array.from(hasAllTerms.subarray(from, to), (flag, at) => ({
    id: ids.slice((from + at) * uuidLength, (from + at + 1) * uuidLength),
    hasAllTerms: flag === 1,
    shares: comparison?.shares.subarray((from + at) * termCount, (from + at + 1) * termCount)
  }))
}

/**
 * Ranks, and reads what is not in memory yet: parts of segments, texts of items. Large searches run off the event loop. @throws
 * SegmentReplaced from the pages
 */
export function rank (
  storage: Pick<SearchStorage, 'readParts' | 'readTexts'>,
  feed: FeedScope,
  search: Omit<RankingRequest, 'projectId' | 'page' | 'texts' | 'parts'>
): Ranking {
  const request = { ...search, projectId: feed.projectId }
  let texts: ItemText[] | undefined
  return async page => {
    const read: Array<PartKey & { bytes: Uint8Array }> = []
    for (;;) {
      const parts = read.map(({ segmentId, part, bytes }) => ({ segmentId, part, bytes: copyOf(bytes) }))
      const answer = await runSearch({ ...request, page, texts, parts }, feed.accountId)
      if ('ids' in answer) return answer
      if ('textIds' in answer) {
        texts = await storage.readTexts(feed, answer.textIds)
        continue
      }
      read.push(...await readMissing(storage, answer.missing))
    }
  }
}

async function runSearch (request: RankingRequest, accountId: string): Promise<RankingAnswer> {
  if (!isSmall(request)) return await threads.run(request, { owner: accountId }) as RankingAnswer
  // Searches of many small projects follow each other.
  await createYielder()()
  return runRanking(request)
}

/** Whether a search is short work. Names are not: a paper may have thousands of authors. */
function isSmall ({ segments, names, texts = [] }: RankingRequest): boolean {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)
  return names === undefined &&
    sum(segments.map(({ documents }) => documents)) <= maxInlineDocuments &&
    sum(segments.map(({ words }) => words)) <= maxInlineWords &&
    sum(texts.map(({ title, abstract, summary }) => title.length + (abstract?.length ?? 0) + (summary?.length ?? 0))) <= maxInlineText
}

/**
 * Finds all items of a filter by names, off the event loop. @param search of which every segment has names
 * @returns their UUIDs, separated by commas @throws SegmentReplaced
 */
export async function findNamesOffThread (
  storage: Pick<SearchStorage, 'readParts'>,
  { accountId, projectId }: FeedScope,
  search: Pick<NamesRequest, 'segments' | 'names'>
): Promise<{ ids: string, count: number }> {
  const read: Array<PartKey & { bytes: Uint8Array }> = []
  for (;;) {
    const parts = read.map(({ segmentId, part, bytes }) => ({ segmentId, part, bytes: copyOf(bytes) }))
    const answer = await threads.run({ ...search, projectId, parts }, { owner: accountId }) as NamesAnswer
    if ('ids' in answer) return answer
    read.push(...await readMissing(storage, answer.missing))
  }
}

/** @throws SegmentReplaced */
async function readMissing (storage: Pick<SearchStorage, 'readParts'>, missing: readonly PartKey[]) {
  const read: Array<PartKey & { bytes: Uint8Array }> = []
  const size = missing.some(({ part }) => isNamesPart(part)) ? namePartsPerRead : partsPerRead
  for (let from = 0; from < missing.length; from += size) {
    const keys = missing.slice(from, from + size)
    const rows = await storage.readParts(keys)
    if (rows.length < keys.length) throw new SegmentReplaced()
    read.push(...rows)
  }
  return read
}
