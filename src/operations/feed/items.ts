import type { ItemDetails } from '../../../db/queries/feed.js'
import type { FeedItem, itemDetails } from '../../../schemas/feed.js'
import { briefItemOf } from '../../papers/brief.js'
import { feedItemOf } from '../../papers/records.js'

/** Converts stored feed items to the form that the caller asked for. Brief items pass as the type of full ones; see schemas/feed.ts. */
export const itemsOf = (rows: readonly ItemDetails[], detail: typeof itemDetails[number] = 'full'): FeedItem[] =>
  detail === 'brief' ? rows.map(row => briefItemOf(row) as unknown as FeedItem) : rows.map(feedItemOf)
