import { createSnapshot } from '../../../db/queries/snapshots.js'
import { Snapshot, SnapshotCreateInput } from '../../../schemas/snapshot.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { readPeriod } from '../../input/read-period.js'
import { snapshotJob } from '../../jobs/new-jobs.js'
import { operation } from '../operation.js'
import { fullReasonFor, snapshotBounds, snapshotOf } from '../../papers/snapshots/record.js'

/** @throws ProjectNotFound, InvalidArguments */
export const snapshotCreate = operation({
  name: 'snapshot_create',
  title: 'Freeze a snapshot',
  description:
    'Freezes a project as it is now, or the papers that entered in a period: queries, states of the sources, the model, every paper with ' +
    'its decision, and counts. A job does it within seconds; GET the snapshot until its state is frozen. It never changes afterwards.',
  input: SnapshotCreateInput,
  output: Snapshot,
  scope: 'act',
  async handler (context, { project_id, since, until }) {
    const { db, account, now, baseUrl, queue, trace } = context
    const time = now()
    const from = since === undefined ? null : readPeriod('since', since, time)
    const to = until === undefined ? null : readPeriod('until', until, time)
    if (to !== null && to > time) {
      throw new InvalidArguments(`until is ${until}, which is in the future. Use an earlier time.`, {
        userMessage: 'The end of the period is in the future.'
      })
    }
    if (from !== null && from >= time) {
      throw new InvalidArguments(`since is ${since}, which is in the future. Use an earlier time.`, {
        userMessage: 'The period begins in the future.'
      })
    }
    if (from !== null && to !== null && from >= to) {
      throw new InvalidArguments('since must be earlier than until.', {
        userMessage: 'The period ends before it begins.'
      })
    }
    const created = await createSnapshot(db, account.id, { project_id, since: from, until: to, requested_at: time }, snapshotBounds)
    if (created === undefined) throw new ProjectNotFound(project_id)
    if (typeof created === 'string') throw new InvalidArguments(fullReasonFor(context, created))
    await queue.enqueue(snapshotJob({ id: project_id, account_id: account.id }), { trace })
    return snapshotOf(created, baseUrl())
  }
})
