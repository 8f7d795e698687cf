import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { lockAccounts } from './accounts.js'
import { deleteDetachedAlerts, detachAlerts } from './alerts.js'
import { deleteBatches } from './delete-batches.js'
import { firstId } from './id-range.js'
import { lockPapers } from './import.js'
import { preferIndexOrder, readInIndexOrder } from './index-order.js'
import { leaveConflicts, retryConflicts } from './retry.js'
import { deleteDetachedSnapshots, deleteProjectSnapshots } from './snapshots.js'

/*
 * Deleting a large project or account takes many transactions, so that others run in between. The first one ends all access; a project
 * then has no account, and an alert or a snapshot no project, so no query finds it. Maintenance continues what a process that ended, or a
 * conflict, left behind.
 */

/** Papers that one transaction looks at. */
const paperBatchSize = 200
/** Texts, and parts of PDFs, that one transaction deletes: each can have megabytes. */
const textBatchSize = 50

/**
 * Deletes the project with its feed, then the account's own papers that no other feed contains or has as a candidate.
 * @returns whether the account had it
 */
export async function deleteProject (db: Db, accountId: string, id: string): Promise<boolean> {
  if (!await beginProjectDeletion(db, accountId, id)) return false
  await leaveConflicts(finishDeletion(db, accountId))
  return true
}

/** A conflict with another transaction, such as one that merges papers of the feed, restarts it. */
const beginProjectDeletion = (db: Db, accountId: string, id: string): Promise<boolean> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      // Imports lock papers before the project; another order here could deadlock.
      await lockPapers(transaction, accountId)
      await detachAlerts(transaction, accountId, { projectId: id })
      const { numUpdatedRows } = await transaction
        .updateTable('project')
        .set({ account_id: null, deleted_account_id: accountId })
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return false
      await transaction.deleteFrom('job').where('project_id', '=', id).execute()
      return true
    })
  )

/**
 * Deletes an account and everything of it. Papers that sources returned are everybody's and remain while anything uses them.
 * @param currentHash expected hash of the password
 * @returns whether it was deleted; `last` if others exist and it is their only enabled administrator
 */
export async function deleteAccount (db: Db, accountId: string, currentHash: string): Promise<boolean | 'last'> {
  const begun = await beginAccountDeletion(db, accountId, currentHash)
  if (begun === true) await leaveConflicts(finishDeletion(db, accountId))
  return begun
}

const beginAccountDeletion = (db: Db, accountId: string, currentHash: string): Promise<boolean | 'last'> =>
  retryConflicts(() =>
    db.transaction().execute(async transaction => {
      await lockAccounts(transaction)
      await lockPapers(transaction, accountId)
      const account = await transaction
        .selectFrom('account')
        .select(['administrator', 'email'])
        .where('id', '=', accountId)
        .where('password_hash', '=', currentHash)
        .where('deleted_at', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (account === undefined) return false
      const others = transaction.selectFrom('account').select('id').where('id', '!=', accountId).where('deleted_at', 'is', null).limit(1)
      const administrators = others.where('administrator', '=', true).where('disabled_at', 'is', null)
      if (
        account.administrator &&
        (await others.executeTakeFirst()) !== undefined &&
        (await administrators.executeTakeFirst()) === undefined
      ) { return 'last' as const }
      await transaction.deleteFrom('invitation').where('email', '=', account.email).execute()
      await detachAlerts(transaction, accountId)
      for (const table of ['session', 'mcp_key', 'password_reset', 'job', 'zotero_account', 'unsubscription', 'deleted_alert'] as const) {
        await transaction.deleteFrom(table).where('account_id', '=', accountId).execute()
      }
      await transaction
        .updateTable('project')
        .set({ account_id: null, deleted_account_id: accountId })
        .where('account_id', '=', accountId)
        .execute()
      await transaction
        .updateTable('account')
        // The address is free again, and no password has this hash.
        .set({ email: `deleted ${accountId}`, password_hash: '', administrator: false, disabled_at: sql`now()`, deleted_at: sql`now()` })
        .where('id', '=', accountId)
        .execute()
      return true
    })
  )

/** Service-wide upkeep: the accounts with a deletion that has not finished, because the process ended that ran it. */
export async function listPendingDeletions (db: Db): Promise<string[]> {
  const projects = db.selectFrom('project').select('deleted_account_id as id').where('deleted_account_id', 'is not', null)
    .$narrowType<{ id: string }>()
  const alerts = db.selectFrom('alert').select('deleted_account_id as id').where('deleted_account_id', 'is not', null)
    .$narrowType<{ id: string }>()
  const snapshots = db.selectFrom('snapshot').select('deleted_account_id as id').where('deleted_account_id', 'is not', null)
    .$narrowType<{ id: string }>()
  const rows = await db.selectFrom('account').select('id').where('deleted_at', 'is not', null)
    .union(projects).union(alerts).union(snapshots).execute()
  return rows.map(({ id }) => id)
}

/** Deletes what deletions of the account have left to do. Idempotent; two processes may do it at a time. */
export async function finishDeletion (db: Db, accountId: string): Promise<void> {
  const projects = await db.selectFrom('project').select('id').where('deleted_account_id', '=', accountId).execute()
  await deleteDetachedAlerts(db, accountId)
  await deleteDetachedSnapshots(db, accountId)
  for (const { id } of projects) await deleteFeed(db, accountId, id)
  const { rows: [account] } = await sql<{ deleted: boolean }>`
    select deleted_at is not null as deleted from account where id = ${accountId}::uuid`.execute(db)
  if (account?.deleted === true) {
    await deleteContent(db, accountId)
    await retryConflicts(() => db.deleteFrom('account').where('id', '=', accountId).where('deleted_at', 'is not', null).execute())
    return
  }
  if (projects.length === 0) return
  await deleteUnusedPapers(db, accountId)
  // Last, since the row tells that papers may be left.
  for (const { id } of projects) {
    await retryConflicts(() => db.deleteFrom('project').where('id', '=', id).where('deleted_account_id', '=', accountId).execute())
  }
}

/** Tables with many rows of a project, and how many rows one transaction deletes. */
const feedTables: ReadonlyArray<[table: string, batchSize: number]> = [
  ['project_paper', 300], ['candidate', 1000], ['found_paper', 1000], ['found_tally', 2000], ['brief_item', 1000], ['zotero_item', 1000],
  ['search_document', 1000], ['search_pending', 2000], ['feed_change', 2000], ['feed_tally', 2000]
]

async function deleteFeed (db: Db, accountId: string, projectId: string): Promise<void> {
  const ofProject = sql`project_id in (select id from project where id = ${projectId}::uuid and deleted_account_id = ${accountId}::uuid)`
  for (const [table, batchSize] of feedTables) await deleteBatches(db, table, ofProject, batchSize)
  await deleteBatches(db, 'search_block', sql`segment_id in (select id from search_segment where ${ofProject})`, 100)
  await deleteProjectSnapshots(db, accountId, projectId)
  await deleteBatches(db, 'import_part', sql`import_id in (select id from library_import where ${ofProject})`, 50)
}

/** Deletes what belongs to a deleted account alone. */
async function deleteContent (db: Db, accountId: string): Promise<void> {
  const ofAccount = sql`account_id = ${accountId}::uuid`
  await deleteBatches(db, 'pdf_part', sql`upload_id in (select id from pdf_upload where ${ofAccount})`, textBatchSize)
  await deleteBatches(db, 'markdown', ofAccount, textBatchSize)
  await deleteBatches(db, 'account_notice', ofAccount, 1000)
  await deleteBatches(db, 'brief', ofAccount, 500)
  for (;;) {
    const { rows } = await retryConflicts(() => db.transaction().execute(async transaction => {
      await lockPapers(transaction, accountId)
      await preferIndexOrder(transaction)
      return await sql`delete from paper where account_id = ${accountId}::uuid and id = any(array(
        select id from paper where account_id = ${accountId}::uuid order by id limit ${sql.lit(paperBatchSize)})) returning id`
        .execute(transaction)
    }))
    if (rows.length < paperBatchSize) return
  }
}

/** Deletes what can have megabytes of the next papers that `deleteUnusedPapers` looks at, in smaller batches. */
async function deleteUnusedTexts (db: Db, accountId: string, after: string): Promise<void> {
  const ids = await readInIndexOrder(db, async transaction =>
    (await transaction.selectFrom('paper').select('id').where('account_id', '=', accountId).where('id', '>', after).orderBy('id')
      .limit(paperBatchSize).execute()).map(({ id }) => id))
  if (ids.length === 0) return
  const isOfUnused = (table: string) => sql`(
    ${sql.ref(`${table}.account_id`)} = ${accountId}::uuid and ${sql.ref(`${table}.paper_id`)} = ${anyUuid(ids)}
    and not exists (select from project_paper where project_paper.paper_id = ${sql.ref(`${table}.paper_id`)})
    and not exists (select from candidate where candidate.paper_id = ${sql.ref(`${table}.paper_id`)}))`
  await deleteBatches(db, 'markdown', isOfUnused('markdown'), textBatchSize)
  await deleteBatches(db, 'pdf_part', sql`upload_id in (select id from pdf_upload where ${isOfUnused('pdf_upload')})`, textBatchSize)
}

/** Deletes the account's own papers that are neither in a feed nor candidates, in batches: each checks a dozen tables that refer to it. */
async function deleteUnusedPapers (db: Db, accountId: string): Promise<void> {
  for (let last = firstId; ;) {
    await deleteUnusedTexts(db, accountId, last)
    const ids = await retryConflicts(() =>
      db.transaction().execute(async transaction => {
        await lockPapers(transaction, accountId)
        await preferIndexOrder(transaction)
        const papers = await transaction
          .selectFrom('paper')
          .select('id')
          .where('account_id', '=', accountId)
          .where('id', '>', last)
          .orderBy('id')
          .limit(paperBatchSize)
          .execute()
        const ids = papers.map(({ id }) => id)
        await transaction
          .deleteFrom('paper')
          .where('account_id', '=', accountId)
          .where('id', '=', anyUuid(ids))
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('project_paper').select('id').whereRef('paper_id', '=', 'paper.id')))
          )
          .where(({ not, exists, selectFrom }) =>
            not(exists(selectFrom('candidate').select('paper_id').whereRef('paper_id', '=', 'paper.id')))
          )
          .execute()
        return ids
      })
    )
    if (ids.length < paperBatchSize) return
    last = ids.at(-1)!
  }
}
