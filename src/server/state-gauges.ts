import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { ServiceContext } from '../operations/context.js'
import { serviceState } from '../operations/administration/service-state.js'

/** How long a result is reused, so frequent scrapes cause no load on the database. */
const cacheMs = 5000
/** Maximum wait for the database, which can be busy with a backup; the metrics of the process must not wait longer. */
const timeoutMs = 2000

type State = Awaited<ReturnType<typeof serviceState.run>>

/** Creates gauges of the database's state, identical in all processes. They are absent, not stale, if the database does not respond. */
export function stateGauges (context: ServiceContext): { refresh: () => Promise<void> } {
  const registers = [context.metrics.registry]
  const up = new Gauge({ name: 'litfeed_database_up', help: 'Whether the database responded within two seconds.', registers })
  const writable = new Gauge({
    name: 'litfeed_database_writable',
    help: 'Whether the database accepts writes: 0 if its disk is full or it is a replica.',
    registers
  })
  const bytes = new Gauge({ name: 'litfeed_database_bytes', help: 'Size of the database.', registers })
  const alerts = new Gauge({ name: 'litfeed_alerts_failing', help: 'Digests and webhooks whose last delivery failed.', registers })
  const jobs = new Gauge({
    name: 'litfeed_jobs',
    help: 'Unfinished jobs by task and state: waiting, running, failed.',
    labelNames: ['task', 'state'] as const,
    registers
  })
  const oldest = new Gauge({
    name: 'litfeed_job_oldest_seconds',
    help: 'Time that the oldest job of a task has been in its state.',
    labelNames: ['task', 'state'] as const,
    registers
  })
  const queries = new Gauge({
    name: 'litfeed_source_questions',
    help: 'Queries of active projects to a source.',
    labelNames: ['source'] as const,
    registers
  })
  const failing = new Gauge({
    name: 'litfeed_source_failing',
    help: 'Queries to a source whose last fetch failed.',
    labelNames: ['source'] as const,
    registers
  })
  const sinceSuccess = new Gauge({
    name: 'litfeed_source_since_success_seconds',
    help: 'Time since the last successful fetch from a source.',
    labelNames: ['source'] as const,
    registers
  })
  const overdue = new Gauge({
    name: 'litfeed_source_overdue_seconds',
    help: 'Delay of the most overdue fetch from a source.',
    labelNames: ['source'] as const,
    registers
  })
  const labelled = [jobs, oldest, queries, failing, sinceSuccess, overdue]
  let readAt = 0
  let pending: Promise<void> | undefined

  function show (state: State): void {
    for (const gauge of labelled) gauge.reset()
    up.set(1)
    bytes.set(state.database_bytes)
    writable.set(Number(state.database_writable))
    alerts.set(state.failing_alerts)
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
    for (const gauge of labelled) gauge.reset()
    for (const gauge of [bytes, writable, alerts]) gauge.remove()
    up.set(0)
  }

  return {
    async refresh () {
      if (context.now().getTime() - readAt < cacheMs) return
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
