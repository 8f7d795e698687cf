import { sql } from 'kysely'
import type { Job } from '../../schemas/job.js'
import type { Db } from '../connection.js'

/** A job of the account, or of no account in particular. */
export const findJob = (db: Db, accountId: string, id: string) =>
  db.selectFrom('job').select(['id', 'task', 'state', 'paper_id', 'error', 'created_at', 'updated_at'])
    .where('id', '=', id)
    .where(({ eb, or, exists, selectFrom }) => or([
      eb('account_id', '=', accountId),
      // A paper's job is everybody's who has the paper.
      exists(selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
        .whereRef('project_paper.paper_id', '=', 'job.paper_id').where('project.account_id', '=', accountId))
    ]))
    .executeTakeFirst()

/** The newest failure of a task on a paper. */
export const findLastFailure = (db: Db, task: Job['task'], paperId: string) =>
  db.selectFrom('job').select('updated_at').where('task', '=', task).where('paper_id', '=', paperId).where('state', '=', 'failed')
    .orderBy('updated_at', 'desc').limit(1).executeTakeFirst()

/**
 * Queues a task on a paper, or finds the job that waits or runs already: there is never a second.
 * @returns `created` tells whether this call queued it
 */
export async function queueOnce (db: Db, job: { task: Job['task'], account_id: string, paper_id: string }): Promise<{ id: string, created: boolean }> {
  for (;;) {
    const created = await db.insertInto('job').values(job)
      .onConflict(conflict => conflict.columns(['task', 'paper_id']).where(sql<boolean>`state in ('waiting', 'running')`).doNothing())
      .returning('id').executeTakeFirst()
    if (created !== undefined) return { id: created.id, created: true }
    const waiting = await db.selectFrom('job').select('id').where('task', '=', job.task).where('paper_id', '=', job.paper_id)
      .where('state', 'in', ['waiting', 'running']).executeTakeFirst()
    if (waiting !== undefined) return { id: waiting.id, created: false }
    // It ended between the two statements: queue it again.
  }
}
