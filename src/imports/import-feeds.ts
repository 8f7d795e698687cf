import type { Db } from '../../db/connection.js'
import { lockProjectSources, updateProject } from '../../db/queries/projects.js'
import { syncSources } from '../../db/queries/sources.js'
import type { Caller } from '../../db/caller.js'
import { maxSources, type ProjectSource } from '../../schemas/project.js'
import { requireRecord } from '../errors/deleted-records.js'
import { readJournalFeeds } from '../sources/formats/read-records.js'
import { journalFeed } from '../sources/journal-feed.js'
import { faultOfFeedAddress, maxQueriesLength } from '../sources/projects/project-sources.js'
import { createYielder } from '../threads/yielder.js'

/** Entries of a file that are read; a project has far fewer sources. */
const maxEntries = 10 * maxSources

/** Result of reading a file of journal feeds. */
export interface ImportedFeeds {
  read: number
  /** Addresses of the feeds that the project did not have before the import. */
  added: string[]
  /** Feeds that the project had, or that the file names again. */
  unchanged: number
  rejected: Array<{ record: number, reason: string }>
}

/** Services that an import of journal feeds uses. */
export interface FeedsContext extends Caller { allowsAddress: (url: string) => boolean, now: () => Date }

/** A file whose journal feeds are added to a project. */
export interface FeedsImport {
  projectId: string
  file: { path: string, name: string }
  /** Feeds that an earlier attempt of the import added: they count as added. */
  addedBefore?: readonly string[] | undefined
  /** Called in the transaction that adds the feeds. */
  inTransaction?: ((transaction: Db, added: readonly string[]) => Promise<void>) | undefined
}

/**
 * Adds the journal feeds of an OPML file to the sources of a project. An address that a person could not set is rejected with the reason,
 * and so are those too many, as one.
 * @throws InvalidArguments if the file takes too long to read
 */
export async function importFeeds (
  { db, account, allowsAddress, now }: FeedsContext,
  { projectId, file, addedBefore = [], inTransaction }: FeedsImport
): Promise<ImportedFeeds> {
  const { entries, hasMore } = await readJournalFeeds({ ...file, owner: account.id }, maxEntries)
  const found: FoundFeed[] = []
  const rejected: ImportedFeeds['rejected'] = []
  const yieldIfDue = createYielder()
  for (const entry of entries) {
    const reason = 'reason' in entry ? entry.reason : faultOfFeedAddress(entry.address, allowsAddress)
    if (reason !== null) rejected.push({ record: entry.place, reason })
    else if ('address' in entry) found.push({ ...entry, key: keyOf(entry.address) })
    const pause = yieldIfDue()
    if (pause !== undefined) await pause
  }
  if (hasMore) {
    rejected.push({ record: maxEntries + 1, reason: `A file may have ${maxEntries.toLocaleString('en')} feeds; the others were not read.` })
  }
  return await db.transaction().execute(async transaction => {
    const { sources } = requireRecord(await lockProjectSources(transaction, account.id, projectId))
    const merged = mergeFeeds(sources, found, addedBefore)
    const time = now()
    if (merged.sources.length > sources.length) {
      await updateProject(transaction, account.id, projectId, { sources: JSON.stringify(merged.sources), updated_at: time })
      await syncSources(transaction, account.id, projectId, merged.sources, time)
    }
    await inTransaction?.(transaction, merged.added)
    return {
      read: entries.length,
      added: merged.added,
      unchanged: merged.unchanged,
      rejected: [...rejected, ...merged.rejected].sort((a, b) => a.record - b.record)
    }
  })
}

/** A journal feed of a file; `key` identifies it whatever the writing of its address. */
interface FoundFeed { place: number, address: string, key: string }

/** Addresses that differ in writing alone are one feed. */
const keyOf = (address: string) => URL.canParse(address.trim()) ? new URL(address.trim()).href : address

function mergeFeeds (
  sources: readonly ProjectSource[],
  found: readonly FoundFeed[],
  addedBefore: readonly string[]
) {
  const merged = [...sources]
  const known = new Set(sources.filter(({ name }) => name === journalFeed.name).map(({ query }) => keyOf(query)))
  const before = new Set(addedBefore.map(keyOf))
  let length = sources.reduce((sum, { query }) => sum + query.length, 0)
  const added: string[] = []
  const rejected: ImportedFeeds['rejected'] = []
  let unchanged = 0
  let excess: number | undefined
  for (const { place, address, key } of found) {
    if (known.has(key)) {
      if (before.delete(key)) added.push(address)
      else unchanged++
    } else if (merged.length >= maxSources) excess ??= place
    else if (length + address.length > maxQueriesLength) {
      rejected.push({
        record: place,
        reason: `The addresses and queries of the project’s sources have ${maxQueriesLength.toLocaleString('en')} characters, the maximum.`
      })
    } else {
      known.add(key)
      merged.push({ name: journalFeed.name, query: address })
      added.push(address)
      length += address.length
    }
  }
  if (excess !== undefined) {
    rejected.push({ record: excess, reason: `The project has ${maxSources} sources, the maximum. No more feeds of the file were added.` })
  }
  return { sources: merged, added, unchanged, rejected }
}
