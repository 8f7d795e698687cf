import type { Feedback } from '../../../../../schemas/feedback.js'
import { Form } from '../../components/form.js'
import { Icon, type IconName } from '../../components/icon.js'

/** What a vote is called once it is given. */
export function votedAs ({ vote, downvote_reason }: Feedback): string {
  if (vote !== 'downvote') return vote === 'star' ? 'Starred' : 'Upvoted'
  return downvote_reason === 'not_relevant' ? 'Not relevant' : downvote_reason === 'low_quality' ? 'Low quality' : 'Downvoted'
}

const icons = { upvote: 'up', star: 'star', downvote: 'down' } as const satisfies Record<Feedback['vote'], IconName>

/** A vote as a sign in a list. */
export const VoteSign = ({ feedback }: { feedback: Feedback }) =>
  <span class={`vote-sign ${feedback.vote}`} title={votedAs(feedback)}><Icon name={icons[feedback.vote]} filled={feedback.vote === 'star'} /><span class='unseen'>{votedAs(feedback)}</span></span>

interface VoteProps { item: { id: string, short_id: string, feedback: Feedback | null }, address: string }

/**
 * The vote on an item: one form whose buttons say which; the button of the vote that is given takes it back. A downvote may say why.
 * @param address the page to come back to, with the item open
 */
export function Vote ({ item: { id, short_id, feedback }, address }: VoteProps) {
  const pressed = (vote: Feedback['vote']) => feedback?.vote === vote
  return (
    <Form action='vote' address={address} class='vote' data-vote={feedback === null ? 'Not rated' : votedAs(feedback)} hx-boost='true' hx-push-url='false' hx-target='#details' hx-select='#details' hx-swap='outerHTML show:none' hx-select-oob={`#row-${short_id}`}>
      <input type='hidden' name='item' value={id} />
      <button class='vote-button' name='vote' value={pressed('upvote') ? 'clear' : 'upvote'} aria-pressed={pressed('upvote')} data-key='u'><Icon name='up' />Upvote</button>
      <button class='vote-button' name='vote' value={pressed('star') ? 'clear' : 'star'} aria-pressed={pressed('star')} data-key='s'><Icon name='star' filled={pressed('star')} />Star</button>
      {pressed('downvote')
        ? <button class='vote-button' name='vote' value='clear' aria-pressed='true' data-key='d'><Icon name='down' />{votedAs(feedback!)}</button>
        : (
          <details class='menu'>
            <summary class='vote-button' data-key='d'><Icon name='down' />Downvote</summary>
            <div class='menu-list'>
              <p class='menu-title' id='why-not'>Reason</p>
              <button name='vote' value='not_relevant'>Not relevant</button>
              <button name='vote' value='low_quality'>Low quality</button>
              <button name='vote' value='downvote'>No reason</button>
            </div>
          </details>
          )}
    </Form>
  )
}
