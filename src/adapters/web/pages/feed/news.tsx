import type { Static } from 'typebox'
import type { NoticesNewResult } from '../../../../../schemas/notice.js'
import { ChangeBadges } from '../../components/changes.js'
import { Form } from '../../components/form.js'
import { RichText } from '../../components/rich-text.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation } from './address.js'

const maxListed = 5

/** Papers that changed since the reader chose them, until the message is dismissed. */
export function News ({ location, news: { items, as_of } }: { location: FeedLocation, news: Static<typeof NoticesNewResult> }) {
  const { to } = useView()
  if (items.length === 0) return null
  return (
    <section class='notice warn feed-news' aria-labelledby='news-title'>
      <h2 id='news-title'>Updates to papers you read</h2>
      <ul class='plain'>
        {items.slice(0, maxListed).map(({ paper_id, paper_title, notices }) => (
          <li key={paper_id}>
            <a href={to(`/papers/${paper_id}`)}><RichText as='span' text={paper_title} /></a> <ChangeBadges changes={notices} />
          </li>
        ))}
        {items.length > maxListed && <li>And {items.length - maxListed} more</li>}
      </ul>
      <Form action='dismiss' address={feedAddress(location)}>
        <input type='hidden' name='as_of' value={as_of} />
        <button class='quiet'>Dismiss</button>
      </Form>
    </section>
  )
}
