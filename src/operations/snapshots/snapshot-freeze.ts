import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import {
  type DecisionPage, type DecisionPeriod, type DecisionRow, type SnapshotPaperRow, countDecisions, listPapersForSnapshot, walkDecisions
} from '../../../db/queries/snapshot-decisions.js'
import {
  type SnapshotAttempt, type SnapshotRow, addSnapshotPart, beginSnapshot, createScheduledSnapshot, failSnapshot, findModelSummary,
  findReviewSettings, findSnapshotSchedule, findWaitingSnapshot, freezeSnapshot, sumSnapshotBytes
} from '../../../db/queries/snapshots.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import { ProjectInput } from '../../../schemas/project.js'
import { maxAccountSnapshotBytes, maxSnapshotBytes } from '../../../schemas/snapshot.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { canonicalJson } from '../../papers/snapshots/canonical-json.js'
import { type SnapshotAbout, type SnapshotRecord, type UnlistedRecords, firstPart, lastPart } from '../../papers/snapshots/document.js'
import { FlowCounter } from '../../papers/snapshots/flow.js'
import { version } from '../../settings/version.js'
import { originTitle } from '../../sources/index.js'
import { sourceOf } from '../../sources/snapshot-source.js'
import { timeSlices } from '../../threads/time-slice.js'
import type { Context } from '../context.js'
import { interleaveExports } from '../../threads/interleave-exports.js'
import { operation } from '../operation.js'
import { modelOf, recordOf } from '../../papers/snapshots/content.js'
import { fullReasons, snapshotBounds, snapshotUrl } from '../../papers/snapshots/record.js'
import { nextSnapshotAt } from './snapshot-schedule.js'

export interface SnapshotFreezeContext extends Context { signal?: AbortSignal | undefined }

/** Characters of a part, about. */
const partLength = 128 * 1024
/** Times that a snapshot is started, because papers were merged or deleted while it was written. */
const maxStarts = 5
const dayMs = 24 * 60 * 60 * 1000

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
  async handler (context: SnapshotFreezeContext, { project_id }) {
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

class SnapshotTooLarge extends Error {}
/** The snapshot was deleted, or another attempt began. */
class AttemptEnded extends Error {}
/** Papers were merged or deleted since the decisions on them were read, so that the decisions are to be read again. */
class PapersChanged extends Error {}

/** Adds the snapshot that the schedule asks for. A project that is full skips it. */
async function addScheduled ({ db, account, now, log }: SnapshotFreezeContext, project_id: string): Promise<void> {
  const found = await findSnapshotSchedule(db, account.id, project_id)
  if (found === undefined) throw new ProjectNotFound(project_id)
  const { snapshot_schedule: schedule, next_snapshot_at: due } = found
  if (schedule === null || due === null || due > now()) return
  const next = { schedule, due, nextAt: nextSnapshotAt(schedule, now()), now: now() }
  const created = await createScheduledSnapshot(db, account.id, project_id, next, snapshotBounds)
  if (typeof created === 'string') log.warn({ project_id, reason: fullReasons[created] }, 'A scheduled snapshot was skipped')
}

/** @returns whether the snapshot is frozen now */
async function freeze (context: SnapshotFreezeContext, snapshot: SnapshotRow & { attempt: string | null }): Promise<boolean> {
  const { db, account, now, log } = context
  const { id, attempt: last, requested_at } = snapshot
  if (last !== null && now().getTime() - requested_at.getTime() > dayMs) {
    log.warn({ snapshot_id: id }, 'A snapshot could not be frozen within a day')
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
        log.warn({ snapshot_id: id }, 'A snapshot is too large')
        await failSnapshot(db, account.id, attempt, error.message)
        return false
      }
      if (!(error instanceof PapersChanged) || start === maxStarts) throw error
    }
  }
}

/** Writes a snapshot and freezes it. @returns whether it is frozen */
async function write (context: SnapshotFreezeContext, snapshot: SnapshotRow, attempt: SnapshotAttempt): Promise<boolean> {
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
    version: 1,
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

/** Writes the parts of a document, and hashes it. */
class PartWriter {
  readonly #context: SnapshotFreezeContext
  readonly #attempt: SnapshotAttempt
  readonly #usedBytes: number
  readonly #hash = createHash('sha256')
  #parts = 0
  #bytes = 0
  #text: string[] = []
  #length = 0

  /** @param usedBytes of the account's other snapshots */
  constructor (context: SnapshotFreezeContext, attempt: SnapshotAttempt, usedBytes: number) {
    this.#context = context
    this.#attempt = attempt
    this.#usedBytes = usedBytes
  }

  /** Adds text to the present part, which is written when it is long enough. */
  async append (text: string): Promise<void> {
    this.#text.push(text)
    this.#length += text.length
    if (this.#length >= partLength) await this.#flush()
  }

  /** Writes a part of its own. */
  async write (text: string): Promise<void> {
    await this.#flush()
    this.#text = [text]
    await this.#flush()
  }

  async end (text: string): Promise<{ sha256: string, bytes: number, parts: number }> {
    await this.write(text)
    return { sha256: this.#hash.digest('hex'), bytes: this.#bytes, parts: this.#parts }
  }

  async #flush (): Promise<void> {
    if (this.#text.length === 0) return
    const text = this.#text.join('')
    this.#text = []
    this.#length = 0
    this.#hash.update(text)
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > maxSnapshotBytes) {
      throw new SnapshotTooLarge(
        `The snapshot would have more than ${mebibytes(maxSnapshotBytes)}. Freeze a shorter period.`
      )
    }
    if (this.#usedBytes + this.#bytes > maxAccountSnapshotBytes) {
      throw new SnapshotTooLarge(
        `Your snapshots would have more than ${mebibytes(maxAccountSnapshotBytes)} together. Download and delete some, then freeze ` +
        'another one.'
      )
    }
    const { db, account, signal } = this.#context
    signal?.throwIfAborted()
    if (!await addSnapshotPart(db, account.id, this.#attempt, { ordinal: this.#parts, content: text })) throw new AttemptEnded()
    this.#parts++
  }
}

/**
 * Reads the decisions on all papers of a period, a page at a time: one statement or transaction for all of them would hold up everybody
 * else on the embedded database. Nothing that enters meanwhile is in the period, and each paper is read once, wherever it is then. A vote
 * that is given during these seconds counts or does not; the counts follow from what was read.
 */
async function readDecisions (
  { db, account, signal }: SnapshotFreezeContext,
  period: DecisionPeriod
): Promise<{ pages: DecisionPage[], unlisted: UnlistedRecords[] }> {
  const pages: DecisionPage[] = []
  const unlisted = new Map<string, UnlistedRecords>()
  for await (const page of interleaveExports(account.id, walkDecisions(db, account.id, period))) {
    signal?.throwIfAborted()
    pages.push(page)
    for (const { sources, records } of page.unlisted) {
      const key = JSON.stringify(sources)
      unlisted.set(key, { sources, records: records + (unlisted.get(key)?.records ?? 0) })
    }
  }
  return { pages, unlisted: [...unlisted].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each) }
}

/** @throws PapersChanged */
async function * readRecords (
  context: SnapshotFreezeContext,
  period: DecisionPeriod,
  pages: readonly DecisionPage[]
): AsyncIterable<SnapshotRecord> {
  const endOfSlice = timeSlices()
  let decided: Set<string> | undefined
  for await (const { rows, papers } of interleaveExports(context.account.id, readPapers(context, period, pages))) {
    for (const row of rows) {
      const paper = papers.get(row[0])
      if (paper === undefined) throw new PapersChanged('A paper was deleted')
      if (paper.id !== row[0]) {
        // It was merged. The kept paper stands for it, unless there is a decision on that one, too.
        decided ??= await idsIn(pages)
        if (decided.has(paper.id)) throw new PapersChanged('Papers were merged')
        decided.add(paper.id)
      }
      yield recordOf(row, paper)
      await endOfSlice()
    }
  }
}

/** Yields the decisions of each page with their papers. @throws PapersChanged */
async function * readPapers (
  { db, account, signal }: SnapshotFreezeContext,
  period: DecisionPeriod,
  pages: readonly DecisionPage[]
): AsyncIterable<{ rows: DecisionRow[], papers: Map<string, SnapshotPaperRow> }> {
  for (const page of pages) {
    signal?.throwIfAborted()
    // A merge moves the decision on a paper to the kept paper, whose page may have been read before.
    if (await countDecisions(db, account.id, period, page) > page.decisions) throw new PapersChanged('Papers were merged')
    const rows = rowsOf(page)
    const papers = await listPapersForSnapshot(db, account.id, rows.map(([id]) => id))
    yield { rows, papers: new Map(papers.map(paper => [paper.asked_id, paper])) }
  }
}

const rowsOf = ({ text }: DecisionPage) => JSON.parse(`[${text}]`) as DecisionRow[]

async function idsIn (pages: readonly DecisionPage[]): Promise<Set<string>> {
  const ids = new Set<string>()
  const endOfSlice = timeSlices()
  for (const page of pages) {
    for (const [id] of rowsOf(page)) ids.add(id)
    await endOfSlice()
  }
  return ids
}
