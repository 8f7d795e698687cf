import type { Db } from '../../../db/connection.js'
import { type CoverageRow, listCoverage, type SourceCoverage } from '../../../db/queries/coverage.js'
import type { Coverage } from '../../../schemas/coverage.js'
import { dayMs } from '../../../schemas/durations.js'
import { shortText } from '../../../schemas/short-text.js'
import type { FairQueue } from '../../threads/fair-queue.js'
import { createYielder } from '../../threads/yielder.js'
import { findSource } from '../index.js'
import { firstChunkSize, nextChunkSize } from './project-chunks.js'

/** A source that is due for so long is not being checked: its worker is off or overloaded. */
const overdueMs = dayMs
/** Failures that are listed; more of them help nobody. */
const maxFailing = 100
/** Projects that a failure names, and characters of each name. */
const [maxProjects, maxNameLength] = [5, 60]

/** Reasons by fault. They are ours: a model reads them, and a source may say anything. */
export const faultReasons: Readonly<Record<string, string>> = {
  unavailable: 'could not be reached or failed',
  rate_limited: 'is rate-limiting requests',
  bad_query: 'rejected the query; change the project\'s query for this source',
  no_query: 'has nothing to search for; add keywords or an interest to the project',
  wrong_answer: 'sent an invalid response',
  pending: 'has not been checked yet',
  paused: 'is not checked while the project is paused',
  disabled: 'is disabled by an administrator of this service',
  overdue: 'was not checked on schedule; tell the operator of Litfeed',
  unknown: 'could not be checked'
}

/** Whether the feed of a project has what its sources published. A project without sources is complete. */
export function coverageOf ({ created_at, matching_state, source_coverage }: CoverageRow, now: Date): Coverage {
  const failing = new Map<string, Fault>()
  let asOf: Date | null = now
  for (const source of source_coverage) {
    const checkedAt = source.last_fetched_at === null ? null : new Date(source.last_fetched_at)
    asOf = asOf === null || checkedAt === null ? null : new Date(Math.min(asOf.getTime(), checkedAt.getTime()))
    const fault = faultOf(source, { isPaused: matching_state === 'paused', now })
    if (fault !== undefined) {
      addFault(failing, {
        source: source.name,
        since: (checkedAt ?? created_at).toISOString(),
        message: `${titleOf(source)} ${faultReasons[fault] ?? faultReasons.unknown} (${fault}).`
      })
    }
  }
  return { complete: failing.size === 0, as_of: asOf?.toISOString() ?? null, failing: [...failing.values()] }
}

/** A source that was not checked. */
type Fault = Coverage['failing'][number]

/** Adds a fault by its message: one that is there already, such as of another query for the source, holds from the earlier time on. */
function addFault (faults: Map<string, Fault>, fault: Fault): void {
  const known = faults.get(fault.message)
  if (known === undefined || fault.since < known.since) faults.set(fault.message, fault)
}

/** A caller whose projects are read a few at a time, in turn with those of others. */
interface Reader { sharedDb: Db, account: { id: string }, sharedWork: { projectReads: FairQueue } }

/** Walks these projects of the caller, and yields to the event loop between them. */
export async function * walkCoverage (
  { sharedDb, account, sharedWork: { projectReads } }: Reader,
  projectIds: readonly string[]
): AsyncIterable<CoverageRow> {
  const yieldIfDue = createYielder()
  for (let read = 0, size = firstChunkSize; read < projectIds.length;) {
    const chunk = projectIds.slice(read, read + size)
    const rows = await projectReads.run(account.id, async () => await listCoverage(sharedDb, account.id, chunk))
    read += chunk.length
    size = nextChunkSize(rows.map(({ query_characters }) => query_characters))
    for (const row of rows) {
      yield row
      await yieldIfDue()
    }
  }
}

/**
 * Whether all of these feeds have what their sources published. A source that fails for several of them is listed once, from the earliest
 * time on, with the names of these projects unless all have it.
 */
export async function coverageOfAll (rows: AsyncIterable<CoverageRow>, now: Date): Promise<Coverage> {
  const failing = new Map<string, Fault>()
  const projects = new Map<string, string[]>()
  let asOf: string | null = now.toISOString()
  let total = 0
  for await (const row of rows) {
    total++
    const coverage = coverageOf(row, now)
    asOf = asOf === null || coverage.as_of === null ? null : earlier(asOf, coverage.as_of)
    for (const fault of coverage.failing) {
      addFault(failing, fault)
      const affected = projects.get(fault.message)
      if (affected === undefined) projects.set(fault.message, [row.name])
      else affected.push(row.name)
    }
  }
  if (total === 0) return { complete: false, as_of: null, failing: [{ source: 'none', since: now.toISOString(), message: noProjects }] }
  const listed = listFailing([...failing.values()]).map(({ message, ...fault }) => {
    const affected = projects.get(message)
    return { ...fault, message: affected === undefined || affected.length === total ? message : `${message} ${namesOf(affected)}` }
  })
  return { complete: failing.size === 0, as_of: asOf, failing: listed }
}

const noProjects = 'No source was checked, because there are no projects; create one first (no_projects).'

/** A sentence with the projects that a failure concerns, of which the last ones are counted. */
function namesOf (projects: readonly string[]): string {
  const names = projects.slice(0, maxProjects).map(name => JSON.stringify(shortText(name, maxNameLength)))
  const others = projects.length - names.length
  return `Projects: ${names.join(', ')}${others === 0 ? '' : ` and ${others} more`}.`
}

/** Times in ISO 8601, in UTC. */
const earlier = (a: string, b: string): string => a < b ? a : b

/** Failures from the earliest on. Beyond a maximum, the last entry counts the others. */
function listFailing (failing: Coverage['failing']): Coverage['failing'] {
  const sorted = failing.sort((a, b) => a.since < b.since ? -1 : a.since > b.since ? 1 : 0)
  if (sorted.length <= maxFailing) return sorted
  const [next, ...others] = sorted.slice(maxFailing - 1)
  const message = `${others.length + 1} more sources were not checked or failed (others).`
  return [...sorted.slice(0, maxFailing - 1), { ...next!, message }]
}

/** @returns undefined for a source that was checked when it was due */
function faultOf (source: SourceCoverage, { isPaused, now }: { isPaused: boolean, now: Date }): string | undefined {
  const { disabled, failures, last_fault, last_fetched_at, next_fetch_at } = source
  if (disabled) return 'disabled'
  if (failures !== null && failures > 0) {
    return last_fault !== null && Object.hasOwn(faultReasons, last_fault) ? last_fault : 'unknown'
  }
  if (isPaused) return 'paused'
  if (last_fetched_at === null || next_fetch_at === null) return 'pending'
  return now.getTime() - new Date(next_fetch_at).getTime() > overdueMs ? 'overdue' : undefined
}

/** A journal feed is named by its host: a project can have several. */
function titleOf ({ name, first_characters }: SourceCoverage): string {
  const { title = 'A source', isJournalFeed } = findSource(name) ?? {}
  const host = isJournalFeed === true ? hostOf(first_characters) : undefined
  return host === undefined ? title : `${title} ${host}`
}

/** Undefined if the address cannot be read. */
function hostOf (address: string): string | undefined {
  try {
    return new URL(address).host
  } catch {
    return undefined
  }
}
