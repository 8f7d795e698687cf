import { amendItemTexts } from '../../../db/queries/item-state.js'
import { ItemAmendInput, ItemAmendResult } from '../../../schemas/feed.js'
import { cleanTags, tagKey } from '../../../schemas/tags.js'
import { itemToChange } from '../../imports/item-to-change.js'
import { checkedTags, cleanNote, exceedsLimits, requireReduced, uniteNotes } from '../../papers/item-state.js'
import { reserveTexts } from '../../papers/paper-quota.js'
import { resolveItemId } from '../../papers/references.js'
import { operation } from '../operation.js'

/**
 * For pages, which may be older than what they change. Repeating it changes nothing.
 * @throws PaperNotFound, AmbiguousShortId, AmbiguousReference, InvalidArguments, QuotaExceeded
 */
export const itemAmend = operation({
  name: 'item_amend',
  title: 'Amend a feed item',
  description: 'Adds tags to a feed item and removes others, and replaces its note if it is one of those that the new one is based on.',
  input: ItemAmendInput,
  output: ItemAmendResult,
  async handler (context, { ref, tags = [], removed_tags = [], note, note_bases }) {
    const { db, account, maxPapers } = context
    const added = checkedTags(tags)
    const removed = new Set(removed_tags.map(tagKey))
    const wanted = note === undefined ? undefined : cleanNote(note)
    const isKept = added.length > 0 || (wanted ?? null) !== null
    const id = await (isKept ? itemToChange : resolveItemId)(context, ref)
    const amended = await amendItemTexts(db, account.id, id, async (stored, transaction) => {
      const all = cleanTags([...stored.tags, ...added]).filter(tag => !removed.has(tagKey(tag)))
      const change = { tags: added.length > 0 ? all : undefined, note: wanted }
      if (exceedsLimits(change)) requireReduced(change, stored)
      const united = wanted === undefined ? stored.note : uniteNotes(stored.note, wanted, note_bases?.map(cleanNote))
      await reserveTexts(transaction, account.id, { stored, changed: { tags: all, note: united }, maxPapers })
      return { tags: all, note: united, is_united: wanted !== undefined && united !== wanted }
    })
    return { note: amended.note, is_united: amended.is_united }
  }
})
