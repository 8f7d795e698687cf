/* Shows states of papers wherever the papers are, and takes back what the server has refused. */
import { onSettled } from '../outbox/sending.js'
import { forgetStates, leaveStates, ownStates, savedStates, setOwnStates, setSaved, shownState, takeStates } from '../outbox/states.js'
import { isOfTag, tagKey } from '../outbox/store.js'
import { reportUnsent } from '../outbox/unsent.js'
import { account } from '../session.js'
import { barItem, paintBar } from './bar.js'
import { paintCount } from './count.js'
import { paintMark, paintNote, paintNoted } from './marks.js'
import { paintTags } from './tags.js'
import { paintVote } from './votes.js'

const paint = {
  vote: paintVote,
  seen: (item, value) => paintMark(item, 'seen', value),
  saved: (item, value) => paintMark(item, 'saved', value),
  tags: item => paintTags(item),
  note: paintNote
}

/** Shows the states of items that are newer than what the server rendered. Default: those of all items. */
export const paintOwnStates = (items = ownStates.keys()) => {
  for (const item of items) for (const [field, value] of Object.entries(ownStates.get(item) ?? {})) showState(item, field, value)
}

/** Shows a state. What the server has rendered is remembered, in case that it refuses the change. */
export function showState (item, field, value) {
  const rendered = shownState(item, field)
  if (rendered !== undefined && savedStates.get(item)?.[field] === undefined) setSaved(item, field, rendered)
  paint[field](item, value)
  paintCount()
  if (item === barItem) paintBar()
}

/** Shows what the server has in place of a state that it refused. A note stays in its field. */
function showSaved (item, field, value) {
  if (isOfTag(field)) {
    const { [tagKey(value)]: _refused, ...tags } = ownStates.get(item)?.tags ?? {}
    setOwnStates(item, { ...ownStates.get(item), tags })
    paintTags(item, [[field === 'tag_add' ? 'tag_remove' : 'tag_add', value]])
    return paintCount()
  }
  const saved = savedStates.get(item)?.[field]
  const { [field]: _refused, ...others } = ownStates.get(item) ?? {}
  setOwnStates(item, saved === undefined ? others : { ...others, [field]: saved })
  if (saved === undefined) return
  if (field === 'note') paintNoted(item, saved)
  else paint[field](item, saved)
  paintCount()
}

/** Shows the states that are newer than a page: now, whenever htmx has replaced a part of it, and when it is shown again. */
export function startPainting () {
  onSettled(({ item, field, value }, isSaved) => { if (!isSaved) showSaved(item, field, value) })
  if (account === undefined) return forgetStates()
  paintOwnStates()
  reportUnsent()
  document.addEventListener('htmx:afterSettle', () => { paintOwnStates(); reportUnsent() })
  addEventListener('pagehide', leaveStates)
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    takeStates()
    paintOwnStates()
  })
}
