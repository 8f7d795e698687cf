import { findItem } from '../../../db/queries/feed.js'
import { setItemState } from '../../../db/queries/item-state.js'
import { FeedItem, ItemUpdateInput } from '../../../schemas/feed.js'
import { checkedTags, cleanNote, exceedsLimits, requireReduced } from '../../papers/item-state.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { reserveTexts } from '../../papers/paper-quota.js'
import { feedItemOf } from '../../papers/records.js'
import { resolveItemId } from '../../papers/references.js'
import { itemToChange } from '../../imports/item-to-change.js'
import { operation } from '../operation.js'

/**
 * Sets what is given and leaves the rest; repeating it changes nothing.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference, InvalidArguments, QuotaExceeded
 */
export const itemUpdate = operation({
  name: 'item_update',
  title: 'Mark a feed item',
  description: 'Sets whether the user has seen a feed item and saved it for later, and its tags and note. Returns the item.',
  input: ItemUpdateInput,
  output: FeedItem,
  scope: 'act',
  async handler (context, { ref, seen, saved, tags, note }) {
    const { db, account, key, maxPapers, now } = context
    const change = {
      seen,
      saved,
      tags: tags === undefined ? undefined : checkedTags(tags),
      note: note === undefined ? undefined : cleanNote(note)
    }
    // Having seen a paper is no reason for it to return.
    const isKept = saved === true || (change.tags ?? []).length > 0 || (change.note ?? '') !== ''
    const id = await (isKept ? itemToChange : resolveItemId)(context, ref)
    if (change.tags !== undefined || change.note !== undefined) {
      const stored = requireRecord(await findItem(db, account.id, id))
      if (exceedsLimits(change)) requireReduced(change, stored)
      const changed = { tags: change.tags ?? stored.tags, note: change.note === undefined ? stored.note : change.note }
      await reserveTexts(db, account.id, { stored, changed, maxPapers })
    }
    if (Object.values(change).some(value => value !== undefined)) await setItemState(db, account.id, id, change, now())
    return feedItemOf(requireRecord(await findItem(db, account.id, id, key?.projectIds)))
  }
})
