import { LRUCache } from 'lru-cache'
import type { FeedScope } from '../../schemas/search-filter.js'
import type { IndexState } from './storage.js'

/** An index as it was last read. */
interface KnownIndex {
  state: IndexState
  /** Whether it was the same when it was read before. */
  isStable: boolean
}

const indexes = new LRUCache<string, KnownIndex>({ max: 500 })

const keyOf = ({ accountId, projectId }: FeedScope) => `${accountId} ${projectId}`

/** Remembers the index of an account's project as it was read; undefined: the account has no such project. */
export function rememberIndex (feed: FeedScope, state: IndexState | undefined): void {
  const before = indexes.get(keyOf(feed))?.state
  if (state === undefined || state.hasPending) indexes.delete(keyOf(feed))
  else indexes.set(keyOf(feed), { state, isStable: before !== undefined && isSame(before, state) })
}

/** The index as it was last read, if it was unchanged since the read before: it is likely to be so still. */
export function stableIndex (feed: FeedScope): IndexState | undefined {
  const known = indexes.get(keyOf(feed))
  return known?.isStable === true ? known.state : undefined
}

/** Segments never change. */
const isSame = ({ segments: one }: IndexState, { segments: other }: IndexState): boolean =>
  one.length === other.length && one.every(({ id }, at) => id === other[at]!.id)
