import type { Db } from '../../db/connection.js'
import { lockProjectSources, updateProject } from '../../db/queries/projects.js'
import { syncSources } from '../../db/queries/sources.js'
import { maxSources, type ProjectSource } from '../../schemas/project.js'
import { requireRecord } from '../errors/deleted-records.js'
import { journalFeed } from '../sources/journal-feed.js'
import { readOpml } from '../sources/opml.js'
import { faultOfFeedAddress, maxQueriesLength } from '../sources/project-sources.js'

/** Entries of a file that are read; a project has far fewer sources. */
const maxEntries = 10_000

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
export interface FeedsContext { db: Db, account: { id: string }, allowsAddress: (url: string) => boolean, now: () => Date }

export interface FeedsImport {
  projectId: string
  text: AsyncIterable<string>
  /** Feeds that an earlier attempt of the import added: they count as added. */
  addedBefore?: readonly string[] | undefined
  /** Called in the transaction that adds the feeds. */
  inTransaction?: ((transaction: Db, added: readonly string[]) => Promise<void>) | undefined
}

/**
 * Adds the journal feeds of an OPML file to the sources of a project. An address that a person could not set is rejected with the reason,
 * and so is one too many.
 */
export async function importFeeds (
  { db, account, allowsAddress, now }: FeedsContext,
  { projectId, text, addedBefore = [], inTransaction }: FeedsImport
): Promise<ImportedFeeds> {
  const found: Array<{ place: number, address: string }> = []
  const rejected: ImportedFeeds['rejected'] = []
  let read = 0
  for await (const entry of readOpml(text)) {
    if (read === maxEntries) {
      rejected.push({ record: read + 1, reason: `A file may have ${maxEntries.toLocaleString('en')} feeds; the others were not read.` })
      break
    }
    read++
    const reason = 'reason' in entry ? entry.reason : faultOfFeedAddress(entry.address, allowsAddress)
    if (reason !== null) rejected.push({ record: entry.place, reason })
    else if ('address' in entry) found.push(entry)
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
      read,
      added: merged.added,
      unchanged: merged.unchanged,
      rejected: [...rejected, ...merged.rejected].sort((a, b) => a.record - b.record)
    }
  })
}

/** Addresses that differ in writing alone are one feed. */
const keyOf = (address: string) => URL.canParse(address.trim()) ? new URL(address.trim()).href : address

function mergeFeeds (
  sources: readonly ProjectSource[],
  found: ReadonlyArray<{ place: number, address: string }>,
  addedBefore: readonly string[]
) {
  const merged = [...sources]
  const known = new Set(sources.filter(({ name }) => name === journalFeed.name).map(({ query }) => keyOf(query)))
  const before = new Set(addedBefore.map(keyOf))
  let length = sources.reduce((sum, { query }) => sum + query.length, 0)
  const added: string[] = []
  const rejected: ImportedFeeds['rejected'] = []
  let unchanged = 0
  for (const { place, address } of found) {
    if (known.has(keyOf(address))) {
      if (before.delete(keyOf(address))) added.push(address)
      else unchanged++
    } else if (merged.length >= maxSources) rejected.push({ record: place, reason: `The project has ${maxSources} sources, the maximum.` })
    else if (length + address.length > maxQueriesLength) {
      rejected.push({
        record: place,
        reason: `The addresses and queries of the project’s sources have ${maxQueriesLength.toLocaleString('en')} characters, the maximum.`
      })
    } else {
      known.add(keyOf(address))
      merged.push({ name: journalFeed.name, query: address })
      added.push(address)
      length += address.length
    }
  }
  return { sources: merged, added, unchanged, rejected }
}
