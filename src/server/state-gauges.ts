import { setTimeout as sleep } from 'node:timers/promises'
import type { ServiceContext } from '../operations/context.js'
import { gauges } from '../observability/gauges.js'
import { serviceState } from '../operations/administration/service-state.js'

/** How long a result is reused, so frequent scrapes cause no load on the database. */
const cacheMs = 5000
/** Maximum wait for the database, which can be busy with a backup; the metrics of the process must not wait longer. */
const timeoutMs = 2000

type State = Awaited<ReturnType<typeof serviceState.run>>

/** Creates gauges of the database's state, identical in all processes. They are absent, not stale, if the database does not respond. */
export function stateGauges (context: ServiceContext): { refresh: () => Promise<void> } {
  const gauge = gauges(context.metrics.registry)
  const up = gauge('litfeed_database_up', 'Whether the database responded within two seconds.')
  const writable = gauge('litfeed_database_writable', 'Whether the database accepts writes: 0 if its disk is full or it is a replica.')
  const bytes = gauge('litfeed_database_bytes', 'Size of the database.')
  const alerts = gauge('litfeed_alerts_failing', 'Digests and webhooks whose last delivery failed.')
  const backupAge = gauge('litfeed_backup_since_success_seconds', 'Time since the last scheduled backup; absent before the first.')
  const backupFailing = gauge('litfeed_backup_failing', 'Whether the last scheduled backup failed; absent without BACKUP_DIR.')
  const backupInterval = gauge('litfeed_backup_interval_seconds', 'Time between two scheduled backups; absent without BACKUP_DIR.')
  const jobs = gauge('litfeed_jobs', 'Unfinished jobs by task and state: waiting, running, failed.', 'task', 'state')
  const oldest = gauge('litfeed_job_oldest_seconds', 'Time that the oldest job of a task has been in its state.', 'task', 'state')
  const queries = gauge('litfeed_source_queries', 'Queries of active projects to a source.', 'source')
  const failing = gauge('litfeed_source_failing', 'Queries to a source whose last fetch failed.', 'source')
  const sinceSuccess = gauge('litfeed_source_since_success_seconds', 'Time since the last successful fetch from a source.', 'source')
  const overdue = gauge('litfeed_source_overdue_seconds', 'Delay of the most overdue fetch from a source.', 'source')
  const labeled = [jobs, oldest, queries, failing, sinceSuccess, overdue]
  let readAt = 0
  let pending: Promise<void> | undefined

  function show (state: State): void {
    for (const gauge of labeled) gauge.reset()
    up.set(1)
    bytes.set(state.database_bytes)
    writable.set(Number(state.database_writable))
    alerts.set(state.failing_alerts)
    for (const gauge of [backupAge, backupFailing, backupInterval]) gauge.remove()
    if (state.backups !== null) {
      backupFailing.set(Number(state.backups.failing))
      backupInterval.set(state.backups.interval_seconds)
      if (state.backups.since_success_seconds !== null) backupAge.set(state.backups.since_success_seconds)
    }
    for (const { task, state: jobState, jobs: count, oldest_seconds } of state.jobs) {
      jobs.set({ task, state: jobState }, count)
      oldest.set({ task, state: jobState }, oldest_seconds)
    }
    for (const { name: source, ...fetches } of state.sources) {
      queries.set({ source }, fetches.queries)
      failing.set({ source }, fetches.failing)
      overdue.set({ source }, fetches.overdue_seconds)
      if (fetches.since_success_seconds !== null) sinceSuccess.set({ source }, fetches.since_success_seconds)
    }
    readAt = context.now().getTime()
  }

  function showNothing (): void {
    for (const gauge of labeled) gauge.reset()
    for (const gauge of [bytes, writable, alerts, backupAge, backupFailing, backupInterval]) gauge.remove()
    up.set(0)
  }

  return {
    async refresh () {
      // A clock that is set back must not keep what was read for as long.
      if (Math.abs(context.now().getTime() - readAt) < cacheMs) return
      // At most one query runs at a time.
      pending ??= serviceState.run(context, {}).then(show, error => {
        context.log.warn({ err: error }, 'Reading the state for metrics failed.')
        showNothing()
      }).finally(() => { pending = undefined })
      const timer = new AbortController()
      await Promise.race([pending, sleep(timeoutMs, undefined, { signal: timer.signal }).then(showNothing, () => {})])
      timer.abort()
    }
  }
}
