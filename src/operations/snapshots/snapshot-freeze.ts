import { Type } from 'typebox'
import {
  type SnapshotAttempt, type SnapshotRow, beginSnapshot, createScheduledSnapshot, failSnapshot, findModelSummary, findReviewSettings,
  findSnapshotSchedule, findWaitingSnapshot, freezeSnapshot, sumSnapshotBytes
} from '../../../db/queries/snapshots.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { canonicalJson } from '../../papers/snapshots/canonical-json.js'
import { modelOf } from '../../papers/snapshots/content.js'
import { PapersChanged, readDecisions, readRecords } from '../../papers/snapshots/decided-records.js'
import { type SnapshotAbout, firstPart, formatVersions, lastPart } from '../../papers/snapshots/document.js'
import { FlowCounter } from '../../papers/snapshots/flow.js'
import { AttemptEnded, PartWriter, SnapshotTooLarge } from '../../papers/snapshots/part-writer.js'
import { fullReasons, snapshotBounds, snapshotUrl } from '../../papers/snapshots/record.js'
import { version } from '../../settings/version.js'
import { originTitle } from '../../sources/index.js'
import { sourceOf } from '../../sources/projects/snapshot-source.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { nextSnapshotAt } from '../../papers/snapshots/schedule.js'
import { dayMs } from '../../../schemas/durations.js'

/** Times that a snapshot is started, because papers were merged or deleted while it was written. */
const maxStarts = 5

/**
 * Freezes the snapshots of a project that wait for it, and the one that its schedule asks for. An attempt that was interrupted starts
 * again; one snapshot that cannot be frozen does not hold up others. @throws ProjectNotFound
 */
export const snapshotFreeze = operation({
  name: 'snapshot_freeze',
  title: 'Freeze snapshots',
  description: 'Freezes the requested snapshots of a project.',
  input: ProjectInput,
  output: Type.Object({ frozen: Type.Integer({ description: 'Snapshots that were frozen.' }) }),
  async handler (context: Context, { project_id }) {
    const { db, account, signal } = context
    await addScheduled(context, project_id)
    const tried: string[] = []
    const failures: unknown[] = []
    let frozen = 0
    // One that is asked for while another is frozen finds this job running, and counts on it.
    for (;;) {
      const snapshot = await findWaitingSnapshot(db, account.id, project_id, tried)
      if (snapshot === undefined) break
      tried.push(snapshot.id)
      try {
        if (await freeze(context, snapshot)) frozen++
      } catch (error) {
        signal?.throwIfAborted()
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
    return { frozen }
  }
})

/** Adds the snapshot that the schedule asks for. A project that is full skips it. */
async function addScheduled ({ db, account, now, log }: Context, project_id: string): Promise<void> {
  const found = await findSnapshotSchedule(db, account.id, project_id)
  if (found === undefined) throw new ProjectNotFound(project_id)
  const { snapshot_schedule: schedule, next_snapshot_at: due } = found
  if (schedule === null || due === null || due > now()) return
  const next = { schedule, due, nextAt: nextSnapshotAt(schedule, now()), now: now() }
  const created = await createScheduledSnapshot(db, account.id, project_id, next, snapshotBounds)
  if (typeof created === 'string') log.warn({ project_id, reason: fullReasons[created] }, 'A scheduled snapshot was skipped.')
}

/** @returns whether the snapshot is frozen now */
async function freeze (context: Context, snapshot: SnapshotRow & { attempt: string | null }): Promise<boolean> {
  const { db, account, now, log } = context
  const { id, attempt: last, requested_at } = snapshot
  if (last !== null && now().getTime() - requested_at.getTime() > dayMs) {
    log.warn({ snapshot_id: id }, 'A snapshot could not be frozen within a day.')
    await failSnapshot(db, account.id, { id, attempt: last }, 'The snapshot could not be frozen within a day. Freeze another one.')
    return false
  }
  for (let start = 1; ; start++) {
    const attempt = await beginSnapshot(db, account.id, id)
    if (attempt === undefined) return false
    try {
      return await write(context, snapshot, attempt)
    } catch (error) {
      if (error instanceof AttemptEnded) return false
      if (error instanceof SnapshotTooLarge) {
        log.warn({ snapshot_id: id }, 'A snapshot is too large.')
        await failSnapshot(db, account.id, attempt, error.message)
        return false
      }
      if (!(error instanceof PapersChanged) || start === maxStarts) throw error
    }
  }
}

/** Writes a snapshot and freezes it. @returns whether it is frozen */
async function write (context: Context, snapshot: SnapshotRow, attempt: SnapshotAttempt): Promise<boolean> {
  const { db, account, now, baseUrl } = context
  const { id, project_id, since } = snapshot
  const usedBytes = await sumSnapshotBytes(db, account.id)
  const project = requireRecord(await findReviewSettings(db, account.id, project_id))
  const model = modelOf(await findModelSummary(db, account.id, project_id))
  const period = { projectId: project_id, since, until: snapshot.until ?? now() }
  const { pages, unlisted } = await readDecisions(context, period)
  // Papers that entered since the reading began are left out, and no vote is later than this.
  const frozenAt = now()
  const { states, sources, ...settings } = project
  const about: SnapshotAbout = {
    format: 'litfeed-snapshot',
    version: formatVersions.at(-1)!,
    program: version,
    project: settings,
    snapshot: {
      id,
      url: snapshotUrl(baseUrl(), snapshot),
      frozen_at: frozenAt.toISOString(),
      since: since?.toISOString() ?? null,
      until: period.until.toISOString()
    },
    sources: sources.map(source => sourceOf(source, project)),
    model,
    unlisted
  }
  const writer = new PartWriter(context, attempt, usedBytes)
  const counter = new FlowCounter(unlisted)
  let records = 0
  await writer.write(firstPart(about))
  for await (const record of readRecords(context, period, pages)) {
    counter.add(record)
    await writer.append(`${records === 0 ? '' : ','}${canonicalJson(record)}`)
    records++
  }
  const flow = counter.flow(originTitle)
  const written = await writer.end(lastPart(flow))
  const summary = { sources: [...about.sources], model, records, flow }
  return await freezeSnapshot(db, account.id, attempt, { frozen_at: frozenAt, until: period.until, ...written, summary })
}
