import type { ComponentChildren } from 'preact'
import type { Feedback } from '../../../../../schemas/feedback.js'
import { maxExportedItems } from '../../../../../schemas/citation.js'
import { maxTagLength } from '../../../../../schemas/item-state.js'
import { exportFormats } from '../../../../papers/citations/export-formats.js'
import { Form } from '../../components/form.js'
import { Icon, type IconName } from '../../components/icon.js'
import { useView } from '../../view.js'

/** Names a vote, such as "Upvoted". */
export function votedAs ({ vote, downvote_reason }: Feedback): string {
  if (vote !== 'downvote') return vote === 'star' ? 'Starred' : 'Upvoted'
  return downvote_reason === 'not_relevant' ? 'Not relevant' : downvote_reason === 'low_quality' ? 'Low quality' : 'Downvoted'
}

/** A vote as forms and scripts send it: the reason of a downvote that has one, "" for none. */
export const voteValue = (feedback: Feedback | null): string => feedback === null ? '' : feedback.downvote_reason ?? feedback.vote

const icons = { upvote: 'up', star: 'star', downvote: 'down' } as const satisfies Record<Feedback['vote'], IconName>

const VoteSign = ({ vote, name }: { vote: Feedback['vote'], name: string }) => (
  <span class={`vote-sign ${vote}`} data-sign={vote} title={name}>
    <Icon name={icons[vote]} filled={vote === 'star'} />
    <span class='unseen'>{name}</span>
  </span>
)

/** The icon of a vote in the list. */
export const VoteIcon = ({ feedback }: { feedback: Feedback }) => <VoteSign vote={feedback.vote} name={votedAs(feedback)} />

/** The icons of all votes. Scripts copy them when they show a vote that the server has not confirmed yet. */
export const VoteSigns = () => (
  <template id='vote-signs'>
    {(['upvote', 'star', 'downvote'] as const).map(vote => (
      <VoteSign key={vote} vote={vote} name='' />
    ))}
  </template>
)

/** The bar at the bottom of a small screen. Each vote opens the next paper. It needs scripts; without them, the form of the paper votes. */
export const TriageBar = () => (
  <div class='triage-bar' role='toolbar' aria-label='Vote and continue'>
    <button type='button' data-press='d' data-votes='downvote'><Icon name='down' /><span>Not relevant</span></button>
    <button type='button' data-press='f' data-votes='star'><Icon name='star' /><span>Star</span></button>
    <button type='button' data-press='u' data-votes='upvote'><Icon name='up' /><span>Upvote</span></button>
    <button type='button' data-press='s' data-saves=''><Icon name='saved' /><span>Save</span></button>
    <button type='button' data-press='j'><Icon name='next' /><span>Next</span></button>
  </div>
)

/** Actions on the selected rows. Only scripts select rows. @param base path of the list */
export function SelectionBar ({ base }: { base: string }) {
  const { to } = useView()
  return (
    <div
      id='selection'
      class='selection'
      role='toolbar'
      aria-label='Selected papers'
      data-max-exported={maxExportedItems}
      hidden
    >
      <span role='status' />
      <button type='button' class='quiet' data-press='A'>Select all</button>
      <div class='selection-actions'>
        <button type='button' class='quiet' data-press='u'><Icon name='up' /><span>Upvote</span></button>
        <button type='button' class='quiet' data-press='f'><Icon name='star' /><span>Star</span></button>
        <button type='button' class='quiet' data-press='d'><Icon name='down' /><span>Not relevant</span></button>
        <button type='button' class='quiet' data-press='s'><Icon name='saved' /><span>Save</span></button>
        <form id='tag-selection' class='tag-selection'>
          <label class='unseen' for='selection-tag'>Tag selected papers</label>
          <input id='selection-tag' list='known-tags' maxLength={maxTagLength} placeholder='Add tag' autocomplete='off' />
        </form>
        <details class='menu'>
          <summary>Export</summary>
          <div class='menu-list'>
            <p class='menu-title'>Selected papers</p>
            {exportFormats.map(({ name, title }) => (
              <a key={name} href={to(`${base}/export?format=${name}`)} data-export={name}>
                {title}
              </a>
            ))}
          </div>
        </details>
      </div>
      <button type='button' class='quiet' data-press='Escape'>Clear</button>
    </div>
  )
}

interface VoteButtonProps { kind: Feedback['vote'], isPressed: boolean, hidden?: boolean, children: ComponentChildren }

const VoteButton = ({ kind, isPressed, hidden = false, children }: VoteButtonProps) => (
  <button
    class='vote-button'
    name='vote'
    value={isPressed ? 'clear' : kind}
    aria-pressed={isPressed}
    data-pressed-by={kind}
    hidden={hidden}
  >
    <Icon name={icons[kind]} filled={kind === 'star' && isPressed} />
    <span class='vote-name'>{children}</span>
  </button>
)

interface VoteProps { item: { id: string, feedback: Feedback | null }, address: string }

/**
 * The form that votes on an item. The button of the current vote removes it; a downvote can have a reason. Scripts show a vote at once and
 * send it in the background.
 * @param address the page to return to, with the item open
 */
export function Vote ({ item: { id, feedback }, address }: VoteProps) {
  const isDown = feedback?.vote === 'downvote'
  return (
    <Form action='vote' address={address} class='vote' data-item={id} data-vote={voteValue(feedback)}>
      <input type='hidden' name='item' value={id} />
      <VoteButton kind='upvote' isPressed={feedback?.vote === 'upvote'}>Upvote</VoteButton>
      <VoteButton kind='star' isPressed={feedback?.vote === 'star'}>Star</VoteButton>
      <VoteButton kind='downvote' isPressed={isDown} hidden={!isDown}>{isDown ? votedAs(feedback) : 'Downvoted'}</VoteButton>
      <details class='menu' hidden={isDown}>
        <summary class='vote-button'><Icon name='down' />Downvote</summary>
        <div class='menu-list'>
          <p class='menu-title'>Reason</p>
          <button name='vote' value='not_relevant'>Not relevant</button>
          <button name='vote' value='low_quality'>Low quality</button>
          <button name='vote' value='downvote'>No reason</button>
        </div>
      </details>
    </Form>
  )
}
