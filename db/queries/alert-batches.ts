import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { isOwnAlert } from './ownership.js'

/** Whether the alert is one of the account's project, and its recipient has not unsubscribed. */
export const maySendAlert = async (
  transaction: Db,
  accountId: string,
  { id, project_id }: { id: string, project_id: string }
): Promise<boolean> =>
  await transaction.selectFrom('alert').select('id').where('id', '=', id).where('project_id', '=', project_id)
    .where('unsubscribed_at', 'is', null).where(isOwnAlert(accountId)).executeTakeFirst() !== undefined

/** The batch of an alert's items or notices whose delivery is uncertain; undefined without one. */
export async function findUnsentBatch (
  transaction: Db,
  table: 'alert_item' | 'alert_notice',
  alertId: string
): Promise<string | undefined> {
  const { rows: [unsent] } = await sql<{ batch: string }>`
    select batch from ${sql.table(table)} where alert_id = ${alertId} and sent_at is null limit 1`.execute(transaction)
  return unsent?.batch
}
