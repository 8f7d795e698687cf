import { dayMs } from '../../../schemas/durations.js'
import type { CoverageRow } from '../../../db/queries/coverage.js'
import type { Coverage } from '../../../schemas/coverage.js'
import { findSource } from '../index.js'

/** A source that is due for so long is not being checked: its worker is off or overloaded. */
const overdueMs = dayMs

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
export function coverageOf ({ created_at, matching_state, sources, source_coverage }: CoverageRow, now: Date): Coverage {
  const failing: Coverage['failing'] = []
  let asOf: Date | null = now
  for (const { name, query } of sources) {
    const state = source_coverage.find(each => each.name === name && each.query === query)
    const checkedAt = state?.last_fetched_at == null ? null : new Date(state.last_fetched_at)
    asOf = asOf === null || checkedAt === null ? null : new Date(Math.min(asOf.getTime(), checkedAt.getTime()))
    const fault = faultOf(state, { isPaused: matching_state === 'paused', now })
    if (fault !== undefined) {
      failing.push({
        source: name,
        since: (checkedAt ?? created_at).toISOString(),
        message: `${titleOf(name, query)} ${faultReasons[fault] ?? faultReasons.unknown} (${fault}).`
      })
    }
  }
  return { complete: failing.length === 0, as_of: asOf?.toISOString() ?? null, failing }
}

/**
 * Whether all of these feeds have what their sources published. A source that fails for several of them is named once, from the earliest
 * time on.
 */
export function coverageOfAll (rows: readonly CoverageRow[], now: Date): Coverage {
  const each = rows.map(row => coverageOf(row, now))
  const checked = each.map(({ as_of }) => as_of).filter(time => time !== null)
  const failing = new Map<string, Coverage['failing'][number]>()
  for (const fault of each.flatMap(coverage => coverage.failing).sort((a, b) => a.since.localeCompare(b.since))) {
    if (!failing.has(fault.message)) failing.set(fault.message, fault)
  }
  return {
    complete: failing.size === 0,
    as_of: checked.length < each.length ? null : [now.toISOString(), ...checked].sort()[0]!,
    failing: [...failing.values()]
  }
}

/** @returns undefined for a source that was checked when it was due */
function faultOf (
  state: CoverageRow['source_coverage'][number] | undefined,
  { isPaused, now }: { isPaused: boolean, now: Date }
): string | undefined {
  if (state?.disabled === true) return 'disabled'
  if (state !== undefined && state.failures > 0) {
    return state.last_fault !== null && Object.hasOwn(faultReasons, state.last_fault) ? state.last_fault : 'unknown'
  }
  if (isPaused) return 'paused'
  if (state?.last_fetched_at == null) return 'pending'
  return now.getTime() - new Date(state.next_fetch_at).getTime() > overdueMs ? 'overdue' : undefined
}

/** A journal feed is named by its host: a project can have several. */
function titleOf (name: string, query: string): string {
  const { title = 'A source', isJournalFeed } = findSource(name) ?? {}
  return isJournalFeed === true && URL.canParse(query) ? `${title} ${new URL(query).host}` : title
}
