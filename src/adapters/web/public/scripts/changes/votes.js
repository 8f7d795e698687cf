/* Votes on papers. */
import { stateOf } from '../outbox/states.js'
import { voteNames } from '../paint/votes.js'
import { showToast } from '../toast.js'
import { showSeen } from './marks.js'
import { reportChange, setStates } from './undo.js'

/** Sets the vote of items. @param vote "" removes the vote */
export function castVotes (url, items, vote) {
  const name = vote === '' ? 'Vote removed' : voteNames[vote]
  const count = setStates(url, items, 'vote', () => vote)
  // The server does the same.
  if (vote !== '') for (const item of items.filter(each => stateOf(each, 'seen') === 'false')) showSeen(item, 'true')
  if (count === 0) showToast(vote === '' ? 'Not rated' : name)
  // Bars have one button for both reasons.
  else reportChange(name, count, vote === 'not_relevant' ? () => castVotes(url, items, 'low_quality') : undefined)
}
