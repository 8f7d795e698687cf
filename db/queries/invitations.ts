import { type Expression, type Insertable, type SqlBool, expressionBuilder } from 'kysely'
import type { Db } from '../connection.js'
import type { InvitationTable } from '../tables/accounts.js'
import type { Database } from '../tables.js'
import { type NewAccount, insertAccount, lockAccounts } from './accounts.js'

const columns = [
  'invitation.id', 'invitation.email', 'note', 'uses', 'used', 'invitation.created_at', 'expires_at', 'revoked_at', 'last_used_at'
] as const

/** Service-wide: a link belongs to the service, and every administrator sees it. */
const selectInvitations = (db: Db) =>
  db.selectFrom('invitation').leftJoin('account', 'account.id', 'invitation.created_by').select(columns)
    .select('account.email as created_by')

/** Whether a link can create an account now. */
function isOpen (now: Date): Expression<SqlBool> {
  const eb = expressionBuilder<Database, 'invitation'>()
  return eb.and([eb('revoked_at', 'is', null), eb('expires_at', '>', now), eb('used', '<', eb.ref('uses'))])
}

/** A link as administrators see it. */
export type InvitationDetails = Awaited<ReturnType<typeof listOpenInvitations>>[number]

/** Adds a link. @returns undefined if `maxOpen` links are open */
export const createInvitation = (db: Db, invitation: Insertable<InvitationTable>, { now, maxOpen }: { now: Date, maxOpen: number }) =>
  db.transaction().execute(async transaction => {
    // The lock makes concurrent calls count one after another.
    await lockAccounts(transaction)
    if (await countOpenInvitations(transaction, now) >= maxOpen) return undefined
    const { id } = await transaction.insertInto('invitation').values(invitation).returning('id').executeTakeFirstOrThrow()
    return await selectInvitations(transaction).where('invitation.id', '=', id).executeTakeFirstOrThrow()
  })

/** Links that can create accounts, newest first. */
export const listOpenInvitations = (db: Db, now: Date) =>
  selectInvitations(db).where(isOpen(now)).orderBy('invitation.created_at', 'desc').orderBy('invitation.id').execute()

/** Links that were revoked, have expired or are used up, newest first. */
export const listEndedInvitations = (db: Db, now: Date, limit: number) =>
  selectInvitations(db).where(({ not }) => not(isOpen(now))).orderBy('invitation.created_at', 'desc').orderBy('invitation.id')
    .limit(limit).execute()

async function countOpenInvitations (db: Db, now: Date): Promise<number> {
  const { count } = await db.selectFrom('invitation').select(({ fn }) => fn.countAll<number>().as('count')).where(isOpen(now))
    .executeTakeFirstOrThrow()
  return count
}

/** Revokes a link. @returns whether it was open */
export const revokeInvitation = async (db: Db, id: string, now: Date): Promise<boolean> =>
  (await db.updateTable('invitation').set({ revoked_at: now }).where('id', '=', id).where(isOpen(now)).returning('id')
    .executeTakeFirst()) !== undefined

/** Authenticates: the hash of the token is in the condition. The time of the search depends on the hash alone. */
export const findInvitation = (db: Db, hash: Buffer) => selectInvitations(db).where('token_hash', '=', hash).executeTakeFirst()

/**
 * Creates an account, never an administrator, with a link, which is used at the same moment. Of concurrent calls, as many succeed as the
 * link has uses.
 * Authenticates: the hash of the token is in the condition.
 * @returns the account; `ended` if the link cannot be used, `taken` if the address has an account, which spends no use
 */
export const createInvitedAccount = async (db: Db, account: NewAccount, { hash, now }: { hash: Buffer, now: Date }) =>
  await db.transaction().execute(async transaction => {
    await lockAccounts(transaction)
    const link = await transaction.selectFrom('invitation').select(['id', 'email']).where('token_hash', '=', hash).where(isOpen(now))
      .where(({ eb, or }) => or([eb('email', 'is', null), eb('email', '=', account.email)])).forUpdate().executeTakeFirst()
    if (link === undefined) return 'ended' as const
    // An administrator knows the address of a link for one person, who usually got it by mail.
    const email_confirmed_at = link.email === null ? null : now
    const created = await insertAccount(transaction, { ...account, email_confirmed_at, administrator: false })
    if (created === undefined) return 'taken' as const
    await transaction.updateTable('invitation').set(({ eb }) => ({ used: eb('used', '+', 1), last_used_at: now }))
      .where('id', '=', link.id).execute()
    return created
  })

/** Upkeep: deletes links that expired before a time. */
export const deleteExpiredInvitations = (db: Db, before: Date) => db.deleteFrom('invitation').where('expires_at', '<', before).execute()
