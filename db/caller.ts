import type { Db } from './connection.js'

/** Where a call reads and writes, and the account it acts for. */
export interface Caller {
  readonly db: Db
  readonly account: { readonly id: string }
}
