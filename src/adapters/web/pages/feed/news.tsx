import type { Static } from 'typebox'
import type { NoticesNewResult } from '../../../../../schemas/notice.js'
import { ChangeBadges } from '../../components/changes.js'
import { Form } from '../../components/form.js'
import { RichText } from '../../components/rich-text.js'
import { useView } from '../../view.js'
import { feedAddress, type FeedLocation } from './address.js'

/** Papers that are listed at once; the others unfold. */
const maxListed = 5

/** Papers that changed since the reader chose them, until the message is dismissed. */
export function News ({ location, news: { items, has_more, as_of } }: { location: FeedLocation, news: Static<typeof NoticesNewResult> }) {
  if (items.length === 0) return null
  return (
    <section class='notice warn feed-news' aria-labelledby='news-title'>
      <h2 id='news-title'>Updates to your papers</h2>
      <Papers items={items.slice(0, maxListed)} />
      {items.length > maxListed && (
        <details>
          <summary>{items.length - maxListed} more</summary>
          <Papers items={items.slice(maxListed)} />
        </details>
      )}
      {has_more && <p>More papers have updates. See their pages.</p>}
      <Form action='dismiss' address={feedAddress(location)}>
        <input type='hidden' name='as_of' value={as_of} />
        <button class='quiet'>Dismiss</button>
      </Form>
    </section>
  )
}

function Papers ({ items }: Pick<Static<typeof NoticesNewResult>, 'items'>) {
  const { to } = useView()
  return (
    <ul class='plain'>
      {items.map(({ paper_id, paper_title, notices }) => (
        <li key={paper_id}>
          <a href={to(`/papers/${paper_id}`)}><RichText as='span' text={paper_title} /></a> <ChangeBadges changes={notices} />
        </li>
      ))}
    </ul>
  )
}
