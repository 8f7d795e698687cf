import type { Db } from './connection.js'
import type { ProjectIds } from './queries/ownership.js'

/** Where a call reads and writes, and the account it acts for. */
export interface Caller {
  readonly db: Db
  readonly account: { readonly id: string }
}

/** One whose key may be limited to projects. */
export interface KeyedCaller extends Caller {
  /** Undefined for calls without a key. */
  readonly key?: { readonly projectIds: ProjectIds } | undefined
}
