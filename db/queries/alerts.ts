import { type Insertable, type SqlBool, type Updateable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { AlertTable } from '../tables/alerts.js'
import { listDue } from './due.js'
import { deleteBatches } from './delete-batches.js'
import { isOwnAlert, lockProject } from './ownership.js'
import { leaveConflicts, retryConflicts } from './retry.js'
import { addressOf, awaitConfirmation, recipientColumns, rememberDeletedAlerts } from './unsubscriptions.js'

const columns = [
  'alert.id',
  'project.id as project_id',
  'alert.kind',
  'alert.target',
  'alert.frequency',
  'alert.must_read',
  'alert.weekday',
  'alert.hour',
  'alert.created_at',
  'alert.items_since',
  'alert.claimed_through',
  'alert.next_send_at',
  'alert.last_sent_at',
  'alert.last_error',
  'alert.unsubscribed_at',
  'account.time_zone'
] as const

const selectAlerts = (db: Db) =>
  db
    .selectFrom('alert')
    .innerJoin('project', 'project.id', 'alert.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(columns)

/** The account's alerts. */
export const selectOwnAlerts = (db: Db, accountId: string) =>
  selectAlerts(db).where('project.account_id', '=', accountId)

/**
 * Adds an alert to a project of the account. One to an address that unsubscribed is ended from the start, as is one that awaits the
 * confirmation of its address.
 * @returns undefined if the project is missing or another account's, 'exists' if it has an alert to this target, 'full' if it has
 * `perProject` alerts, 'too many' if the account has `perAccount`
 */
export const createAlert = (
  db: Db,
  accountId: string,
  alert: Insertable<AlertTable> & { project_id: string },
  { perProject, perAccount, awaitsConfirmation = false }: { perProject: number, perAccount: number, awaitsConfirmation?: boolean }
) =>
  db.transaction().execute(async transaction => {
    // The locks make concurrent calls count one after another.
    await transaction.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
    if (!await lockProject(transaction, accountId, alert.project_id)) return undefined
    const existing = await transaction.selectFrom('alert').select(['kind', 'target']).where('project_id', '=', alert.project_id).execute()
    const recipient = ({ kind, target }: { kind: string, target: string }) => kind === 'email' ? addressOf(target) : target
    if (existing.some(other => other.kind === alert.kind && recipient(other) === recipient(alert))) return 'exists'
    if (existing.length >= perProject) return 'full'
    const { alerts } = await transaction.selectFrom('alert').innerJoin('project', 'project.id', 'alert.project_id')
      .select(({ fn }) => fn.countAll<number>().as('alerts')).where('project.account_id', '=', accountId).executeTakeFirstOrThrow()
    if (Number(alerts) >= perAccount) return 'too many'
    if (awaitsConfirmation) await awaitConfirmation(transaction, accountId, alert)
    return await transaction
      .insertInto('alert')
      .values(({ selectFrom }) => ({
        ...alert,
        ...(alert.kind === 'email'
          ? {
              unsubscribed_at: selectFrom('unsubscription')
                .select('unsubscribed_at')
                .where('account_id', '=', accountId)
                .where('address', '=', addressOf(alert.target))
            }
          : {})
      }))
      .returning(['id', 'unsubscribed_at'])
      .executeTakeFirstOrThrow()
  })

/** Undefined if the alert is missing or another account's. */
export const findAlert = (db: Db, accountId: string, id: string) =>
  selectOwnAlerts(db, accountId).where('alert.id', '=', id).executeTakeFirst()

/** The alerts of the account's project, oldest first. */
export const listAlerts = (db: Db, accountId: string, projectId: string) =>
  selectOwnAlerts(db, accountId).where('alert.project_id', '=', projectId).orderBy('alert.created_at').orderBy('alert.id').execute()

/** An alert as its account sees it. */
export type AlertDetails = NonNullable<Awaited<ReturnType<typeof findAlert>>>

/** Deletes an alert with what it sent, batch by batch, and remembers its recipient. @returns whether the account had the alert */
export async function deleteAlert (db: Db, accountId: string, id: string): Promise<boolean> {
  const detached = await retryConflicts(() => db.transaction().execute(transaction => detachAlerts(transaction, accountId, { id })))
  if (detached > 0) await leaveConflicts(deleteDetachedAlerts(db, accountId))
  return detached > 0
}

/**
 * Takes alerts from their projects, so that no query finds them, and remembers their recipients: those of one id, of a project, or all of
 * the account. `deleteDetachedAlerts` deletes them.
 * @returns their number
 */
export async function detachAlerts (
  transaction: Db,
  accountId: string,
  { id, projectId }: { id?: string, projectId?: string } = {}
): Promise<number> {
  const alerts = await transaction.selectFrom('alert').select(recipientColumns).where(isOwnAlert(accountId))
    .$if(id !== undefined, query => query.where('id', '=', id!))
    .$if(projectId !== undefined, query => query.where('project_id', '=', projectId!))
    .$narrowType<{ project_id: string }>().forUpdate().execute()
  if (alerts.length === 0) return 0
  await transaction.updateTable('alert').set({ project_id: null, deleted_account_id: accountId, last_error: null })
    .where('id', 'in', alerts.map(({ id }) => id)).where(isOwnAlert(accountId)).execute()
  await rememberDeletedAlerts(transaction, accountId, alerts)
  return alerts.length
}

/** Deletes the alerts that were taken from the account's projects: each can have sent every paper of a feed. Idempotent. */
export async function deleteDetachedAlerts (db: Db, accountId: string): Promise<void> {
  const alerts = await db.selectFrom('alert').select('id').where('deleted_account_id', '=', accountId).execute()
  for (const { id } of alerts) {
    for (const table of ['alert_item', 'alert_notice']) await deleteBatches(db, table, sql`alert_id = ${id}::uuid`, 1000)
    await retryConflicts(() => db.deleteFrom('alert').where('id', '=', id).where('deleted_account_id', '=', accountId).execute())
  }
}

/**
 * Records that an address which unsubscribed from the account's emails is asked to confirm a new alert.
 * @returns whether it was last asked before `askedBefore`, or never
 */
export const recordConfirmationMail = async (
  db: Db,
  accountId: string,
  target: string,
  { now, askedBefore }: { now: Date, askedBefore: Date }
): Promise<boolean> =>
  await db
    .updateTable('unsubscription')
    .set({ asked_at: now })
    .where('account_id', '=', accountId)
    .where('address', '=', addressOf(target))
    .where(({ eb, or }) => or([eb('asked_at', 'is', null), eb('asked_at', '<', askedBefore)]))
    .returning('address')
    .executeTakeFirst() !== undefined

/** Undoes `recordConfirmationMail`: the address was not asked. */
export const forgetConfirmationMail = (db: Db, accountId: string, target: string) =>
  db.updateTable('unsubscription').set({ asked_at: null }).where('account_id', '=', accountId).where('address', '=', addressOf(target))
    .execute()

/** Longer than an alert waits from one delivery to the next, or after a failure. Later times were set by a clock that ran ahead. */
const longestWait = sql`
  case frequency when 'immediate' then interval '2 hours' when 'daily' then interval '2 days' else interval '8 days' end`

/** Longer than a transaction usually takes that adds items, whose times are from before it. */
const newsMargin = sql`interval '15 minutes'`
/** An immediate alert looks for news this often in any case: for items that were added, or became must-reads, without a sign of it. */
const longestQuiet = sql`interval '1 hour'`

/** Whether an immediate alert may have something to send: items entered its feed, or the feed was rescored, about since it last had all. */
const mayHaveNews = (now: Date) => {
  const since = sql`claimed_through - ${newsMargin}`
  const isOfAlert = sql`project_id = project.id and (not must_read or relevance_class = 'must_read')`
  return sql<SqlBool>`(
    claimed_through is null or claimed_through > ${now} or claimed_through <= ${now}::timestamptz - ${longestQuiet}
    or exists (select from project_paper where ${isOfAlert} and ready_at >= ${since})
    or exists (select from project_paper where ${isOfAlert} and entered_at >= ${since})
    or (must_read and learned_at >= ${since}))`
}

/**
 * Service-wide, for the ticker: alerts that are due, of accounts that are not disabled, immediate ones only if there may be news; see
 * `listDue`.
 */
export const listDueAlerts = (db: Db, now: Date, id?: string) => {
  const due = db
    .selectFrom('alert')
    .innerJoin('project', 'project.id', 'alert.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select(['alert.id', 'project.id as project_id', 'project.account_id', 'next_send_at as due_at'])
    .where(({ or, eb }) => or([eb('next_send_at', '<=', now), eb('next_send_at', '>', sql<Date>`${now}::timestamptz + ${longestWait}`)]))
    .where('account.disabled_at', 'is', null)
    .where('unsubscribed_at', 'is', null)
    .where(({ or, eb }) => or([eb('frequency', '<>', 'immediate'), mayHaveNews(now)]))
  return listDue(db, 'send-alert', due, id)
}

/** Service-wide, for the job that sends it: an alert with its project's name and its account. */
export const findAlertToSend = (db: Db, id: string) =>
  selectAlerts(db)
    .select(['project.name as project_name', 'project.account_id', 'account.email as account_email', 'account.email_confirmed_at'])
    .where('alert.id', '=', id).executeTakeFirst()

/** What a delivery changes: the outcome, and the schedule. */
interface Delivery {
  outcome: { last_error: string | null, last_sent_at?: Date }
  schedule: { next_send_at: Date, claimed_through?: Date }
}

/** An alert with the settings that it was sent with. */
type SentAlert = Pick<AlertDetails, 'id' | 'frequency' | 'weekday' | 'hour' | 'must_read' | 'time_zone'>

/** Records the outcome of sending the account's alert, and its schedule, unless its settings or the time zone were changed meanwhile. */
export const updateSentAlert = (
  db: Db,
  accountId: string,
  { id, frequency, weekday, hour, must_read, time_zone }: SentAlert,
  { outcome, schedule }: Delivery
) =>
  db.transaction().execute(async transaction => {
    // Locked, so that a concurrent change of the time zone comes before or after both.
    const account = await transaction.selectFrom('account').select('time_zone').where('id', '=', accountId).forShare().executeTakeFirst()
    await updateAlert(transaction, accountId, id, outcome)
    if (account?.time_zone !== time_zone) return
    await transaction.updateTable('alert').set(schedule).where('id', '=', id).where(isOwnAlert(accountId))
      .where('frequency', '=', frequency).where('weekday', '=', weekday).where('hour', '=', hour).where('must_read', '=', must_read)
      .execute()
  })

/** Changes the account's alert: its settings, or the outcome of sending it, and when the next sending is due. */
export const updateAlert = (
  db: Db,
  accountId: string,
  id: string,
  change: Omit<Updateable<AlertTable>, 'id' | 'project_id' | 'deleted_account_id' | 'kind' | 'target'>
) => db.updateTable('alert').set(change).where('id', '=', id).where(isOwnAlert(accountId)).execute()
