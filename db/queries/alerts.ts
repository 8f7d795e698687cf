import { randomUUID } from 'node:crypto'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { AlertTable } from '../tables/alerts.js'
import { selectItems } from './feed.js'

const columns = ['alert.id', 'alert.project_id', 'alert.kind', 'alert.target', 'alert.frequency', 'alert.must_read', 'alert.created_at', 'alert.next_send_at', 'alert.last_sent_at', 'alert.last_error'] as const

const ofAccount = (db: Db, accountId: string) =>
  db.selectFrom('alert').innerJoin('project', 'project.id', 'alert.project_id').select(columns).where('project.account_id', '=', accountId)

/** @returns 'exists' when the project has one to this target already, 'full' when it has `most` */
export const createAlert = (db: Db, alert: Insertable<AlertTable> & { project_id: string }, most: number) =>
  db.transaction().execute(async transaction => {
    // One after another, so that none is counted too late.
    await transaction.selectFrom('project').select('id').where('id', '=', alert.project_id).forUpdate().execute()
    const there = await transaction.selectFrom('alert').select(['kind', 'target']).where('project_id', '=', alert.project_id).execute()
    if (there.some(({ kind, target }) => kind === alert.kind && target === alert.target)) return 'exists'
    if (there.length >= most) return 'full'
    return await transaction.insertInto('alert').values(alert).returning('id').executeTakeFirstOrThrow()
  })

export const findAlert = (db: Db, accountId: string, id: string) => ofAccount(db, accountId).where('alert.id', '=', id).executeTakeFirst()

export const listAlerts = (db: Db, accountId: string, projectId: string) =>
  ofAccount(db, accountId).where('alert.project_id', '=', projectId).orderBy('alert.created_at').orderBy('alert.id').execute()

export type AlertDetails = NonNullable<Awaited<ReturnType<typeof findAlert>>>

export const deleteAlert = (db: Db, id: string) => db.deleteFrom('alert').where('id', '=', id).execute()

/** Alerts whose time has come, with their owners, where these are not disabled. @param id that one alone, where it is due */
export const listDueAlerts = (db: Db, now: Date, id?: string) =>
  db.selectFrom('alert').innerJoin('project', 'project.id', 'alert.project_id').innerJoin('account', 'account.id', 'project.account_id')
    .select(['alert.id', 'alert.project_id', 'project.account_id']).where('next_send_at', '<=', now).where('account.disabled_at', 'is', null)
    .$if(id !== undefined, query => query.where('alert.id', '=', id!)).limit(200).execute()

/** An alert as it is sent: with its project and owner. */
export const findSending = (db: Db, id: string) =>
  db.selectFrom('alert').innerJoin('project', 'project.id', 'alert.project_id').select(columns)
    .select(['project.name as project_name', 'project.account_id']).where('alert.id', '=', id).executeTakeFirst()

/**
 * Takes what entered the feed since the alert was made, and has not been sent to it, as one batch; a batch of which it is not known whether
 * it went out comes first, under its own id. @returns undefined where there is nothing
 */
export const takeBatch = (db: Db, { id, project_id, must_read, created_at }: Pick<AlertDetails, 'id' | 'project_id' | 'must_read' | 'created_at'>, limit: number) =>
  db.transaction().execute(async transaction => {
    // What has left the feed meanwhile has nothing to be sent, and would keep its batch unsent for good.
    await transaction.deleteFrom('alert_item').where('alert_id', '=', id).where('sent_at', 'is', null)
      .where(({ not, exists, selectFrom }) => not(exists(selectFrom('project_paper').select('project_paper.id').where('project_id', '=', project_id).whereRef('project_paper.paper_id', '=', 'alert_item.paper_id'))))
      .execute()
    const left = await transaction.selectFrom('alert_item').select('batch').where('alert_id', '=', id).where('sent_at', 'is', null).limit(1).executeTakeFirst()
    const batch = left?.batch ?? randomUUID()
    if (left === undefined) {
      await transaction.insertInto('alert_item').columns(['alert_id', 'paper_id', 'batch'])
        .expression(({ selectFrom }) => selectFrom('project_paper').select([sql<string>`${id}::uuid`.as('alert_id'), 'paper_id', sql<string>`${batch}::uuid`.as('batch')])
          .where('project_id', '=', project_id).where('ready_at', '>=', created_at)
          .$if(must_read, query => query.where('relevance_class', '=', 'must_read'))
          .where(({ not, exists, selectFrom }) => not(exists(selectFrom('alert_item').select('alert_item.paper_id').where('alert_id', '=', id).whereRef('alert_item.paper_id', '=', 'project_paper.paper_id'))))
          .orderBy('relevance_score', 'desc').orderBy('ready_at', 'desc').orderBy('project_paper.id').limit(limit))
        .execute()
    }
    const items = await selectItems(transaction).innerJoin('alert_item', 'alert_item.paper_id', 'project_paper.paper_id')
      .where('alert_id', '=', id).where('batch', '=', batch).where('project_paper.project_id', '=', project_id)
      .orderBy('relevance_score', 'desc').orderBy('ready_at', 'desc').orderBy('project_paper.id').execute()
    return items.length === 0 ? undefined : { batch, items }
  })

export const markSent = (db: Db, id: string, batch: string, now: Date) =>
  db.updateTable('alert_item').set({ sent_at: now }).where('alert_id', '=', id).where('batch', '=', batch).execute()

export const updateAlert = (db: Db, id: string, change: { next_send_at?: Date, last_sent_at?: Date, last_error?: string | null }) =>
  db.updateTable('alert').set(change).where('id', '=', id).execute()
