/* Votes: the buttons of a paper, and its row. */
import { rowsOf } from './marks.js'

/** What messages and signs call a vote. */
export const voteNames = {
  upvote: 'Upvoted', star: 'Starred', downvote: 'Downvoted', not_relevant: 'Not relevant', low_quality: 'Low quality'
}

/** Whether a vote is a downvote, for whatever reason. */
export const isDownvote = vote => vote !== '' && vote !== 'upvote' && vote !== 'star'

/** Shows an item's vote wherever the item is. */
export function paintVote (item, vote) {
  for (const row of rowsOf(item)) {
    row.dataset.vote = vote
    row.classList.toggle('rated', vote !== '')
    const sign = row.querySelector('.vote-sign')
    const signs = document.getElementById('vote-signs').content
    const wanted = vote === '' ? undefined : signs.querySelector(`[data-sign="${isDownvote(vote) ? 'downvote' : vote}"]`).cloneNode(true)
    if (wanted !== undefined) {
      wanted.title = voteNames[vote]
      wanted.querySelector('.unseen').textContent = voteNames[vote]
    }
    if (sign !== null) sign.replaceWith(...[wanted].filter(Boolean))
    else if (wanted !== undefined) row.querySelector('a').append(wanted)
  }
  for (const form of document.querySelectorAll(`.vote[data-item="${item}"]`)) {
    form.dataset.vote = vote
    for (const button of form.querySelectorAll('[data-pressed-by]')) {
      const { pressedBy } = button.dataset
      const isPressed = pressedBy === 'downvote' ? isDownvote(vote) : vote === pressedBy
      button.setAttribute('aria-pressed', isPressed)
      button.value = isPressed ? 'clear' : pressedBy
      if (pressedBy === 'downvote') {
        button.hidden = !isPressed
        if (isPressed) button.querySelector('.vote-name').textContent = voteNames[vote]
      }
      button.querySelector('.icon').classList.toggle('filled', isPressed && pressedBy === 'star')
    }
    const menu = form.querySelector('.menu')
    menu.open = false
    menu.hidden = isDownvote(vote)
  }
}
