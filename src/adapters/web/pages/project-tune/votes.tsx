import type { FeedbackPreviewResult, FeedItem } from '../../../../../schemas/feed.js'
import { minCountedChange } from '../../../../relevance/learning-changes.js'
import { formatPapers } from '../../components/figures.js'
import { Form } from '../../components/form.js'
import { votedAs, voteValue } from '../feed/vote.js'
import { Papers } from '../project-settings/preview.js'
import { useView } from '../../view.js'
import { Choice, previewOnChoice, TunePreview } from './choice.js'

/** A vote that is not given yet, and what it would do. */
export interface PreviewedVote { kind: 'vote', vote: string, preview: FeedbackPreviewResult }

const votes = [
  { value: 'upvote', label: 'More like this (upvote)' },
  { value: 'star', label: 'Much more like this (star)' },
  { value: 'not_relevant', label: 'Less like this (not relevant)' },
  { value: 'low_quality', label: 'A little less like this (low quality)' }
]

interface VotesProps { item: FeedItem, address: string, previewed: PreviewedVote | undefined }

/** A form that votes on the paper. */
export function Votes ({ item, address, previewed }: VotesProps) {
  const { to } = useView()
  const current = previewed?.vote ?? voteValue(item.feedback)
  return (
    <section aria-labelledby='like'>
      <h2 id='like'>More or less like this</h2>
      <p class='section-text'>
        Similar papers score higher after an upvote or a star, and lower after a downvote.
        {item.feedback !== null && <> Now: {votedAs(item.feedback).toLowerCase()}.</>}
      </p>
      <Form action='vote' buttonActions={['preview_vote']} class='stack'>
        <input type='hidden' name='item' value={item.id} />
        <fieldset class='choices' {...previewOnChoice('vote', { address: to(address), action: 'preview_vote' })}>
          <legend class='unseen'>Vote</legend>
          {votes.map(({ value, label }) => <Choice key={value} name='vote' value={value} label={label} checked={value === current} />)}
        </fieldset>
        <div class='buttons'>
          <button class='secondary' name='action' value='preview_vote'>Preview</button>
          <button name='action' value='vote'>Apply</button>
        </div>
      </Form>
      <TunePreview kind='vote' action='preview_vote'>
        {previewed !== undefined && <VotePreview preview={previewed.preview} />}
      </TunePreview>
    </section>
  )
}

/** How a vote would change the newest papers of the feed. */
function VotePreview ({ preview: { compared, rose, fell, passing, passing_now } }: { preview: FeedbackPreviewResult }) {
  if (compared === 0) return <p>The feed has no other papers yet.</p>
  const difference = passing - passing_now
  const changed = ({ items }: typeof rose) =>
    items.map(({ paper_id, title, score_before, score }) => ({ paper_id, title, now: score_before, relevance_score: score! }))
  return (
    <>
      <p class='preview-sum'>
        Of the newest {formatPapers(compared)} besides it in this feed, <strong>{rose.count} would rise</strong> and{' '}
        <strong>{fell.count} fall</strong> by {100 * minCountedChange} points or more. {passing} would reach the minimum score
        {difference === 0 ? ', the same as now' : `, ${Math.abs(difference)} ${difference > 0 ? 'more' : 'fewer'} than now`}.
      </p>
      {rose.count + fell.count > 0 && (
        <div class='beside'>
          <Papers title='Rise most' mark='↑' papers={changed(rose)} total={rose.count} />
          <Papers title='Fall most' mark='↓' papers={changed(fell)} total={fell.count} />
        </div>
      )}
    </>
  )
}
