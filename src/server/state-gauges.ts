import { setTimeout as sleep } from 'node:timers/promises'
import { Gauge } from 'prom-client'
import type { ServiceContext } from '../operations/context.js'
import { serviceState } from '../operations/administration/service-state.js'

/** Whoever reaches /metrics may ask as often as he likes: the database is asked once in so many milliseconds. */
const freshFor = 5000
/** The embedded database may be busy with a backup: what this process knows by itself is not held up for longer. */
const patience = 2000

type State = Awaited<ReturnType<typeof serviceState.run>>

/** Gauges of what stands in the database, which every process on it shows alike. Where it does not answer they are absent, not stale. */
export function stateGauges (context: ServiceContext): { refresh: () => Promise<void> } {
  const registers = [context.metrics.registry]
  const up = new Gauge({ name: 'litfeed_database_up', help: 'Whether the database has answered within two seconds.', registers })
  const writable = new Gauge({ name: 'litfeed_database_writable', help: 'Whether the database takes writes: 0 where its disk is full, or it is a replica.', registers })
  const bytes = new Gauge({ name: 'litfeed_database_bytes', help: 'Size of the database.', registers })
  const alerts = new Gauge({ name: 'litfeed_alerts_failing', help: 'Digests and webhooks whose last sending failed.', registers })
  const jobs = new Gauge({ name: 'litfeed_jobs', help: 'Jobs that are not done, by task and state: waiting, running, failed.', labelNames: ['task', 'state'] as const, registers })
  const oldest = new Gauge({ name: 'litfeed_job_oldest_seconds', help: 'How long the oldest job of a task has been in its state.', labelNames: ['task', 'state'] as const, registers })
  const questions = new Gauge({ name: 'litfeed_source_questions', help: 'Questions of active projects to a source.', labelNames: ['source'] as const, registers })
  const failing = new Gauge({ name: 'litfeed_source_failing', help: 'Questions to a source whose last look failed.', labelNames: ['source'] as const, registers })
  const sinceSuccess = new Gauge({ name: 'litfeed_source_since_success_seconds', help: 'Time since a source was last looked at with success.', labelNames: ['source'] as const, registers })
  const overdue = new Gauge({ name: 'litfeed_source_overdue_seconds', help: 'How late the look at a source is that should have been first.', labelNames: ['source'] as const, registers })
  const labelled = [jobs, oldest, questions, failing, sinceSuccess, overdue]
  let readAt = 0
  let reading: Promise<void> | undefined

  function show (state: State): void {
    for (const gauge of labelled) gauge.reset()
    up.set(1)
    bytes.set(state.database_bytes)
    writable.set(Number(state.database_writable))
    alerts.set(state.failing_alerts)
    for (const { task, state: how, jobs: count, oldest_seconds } of state.jobs) {
      jobs.set({ task, state: how }, count)
      oldest.set({ task, state: how }, oldest_seconds)
    }
    for (const { name: source, ...looks } of state.sources) {
      questions.set({ source }, looks.questions)
      failing.set({ source }, looks.failing)
      overdue.set({ source }, looks.overdue_seconds)
      if (looks.since_success_seconds !== null) sinceSuccess.set({ source }, looks.since_success_seconds)
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
      if (context.now().getTime() - readAt < freshFor) return
      // One that has not come back yet is waited for, never joined by another.
      reading ??= serviceState.run(context, {}).then(show, error => {
        context.log.warn({ err: error }, 'The state of the service could not be read for its metrics.')
        showNothing()
      }).finally(() => { reading = undefined })
      const late = new AbortController()
      await Promise.race([reading, sleep(patience, undefined, { signal: late.signal }).then(showNothing, () => {})])
      late.abort()
    }
  }
}
