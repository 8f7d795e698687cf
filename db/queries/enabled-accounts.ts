import type { Db } from '../connection.js'

/** Ids of accounts that are not disabled. A condition of statements that race with the disabling of an account. */
export const enabledAccountIds = (db: Db) => db.selectFrom('account').select('id').where('disabled_at', 'is', null)
