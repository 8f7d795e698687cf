import type { ComponentChildren } from 'preact'
import type { Follow, FollowTarget } from '../../../../schemas/follow.js'
import { Form } from './form.js'

interface FollowedProps {
  follows: readonly Follow[]
  /** Hidden fields of each form. */
  children?: ComponentChildren
}

/** What a project follows, each with a form that unfollows it; nothing without follows. */
export function Followed ({ follows, children }: FollowedProps) {
  if (follows.length === 0) return null
  return (
    <section aria-labelledby='followed'>
      <h2 id='followed'>Followed</h2>
      <ul class='plain'>
        {follows.map(follow => (
          <li key={follow.id}>
            <Form action='unfollow' class='buttons'>
              <span><span dir='auto'>{follow.name}</span> <span class='quiet-text'>{basisOf(follow)}</span></span>
              {children}
              <input type='hidden' name='follow_id' value={follow.id} />
              <button class='secondary'>Unfollow<span class='unseen'> {follow.name}</span></button>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** How papers of a follow are recognized. */
export const basisOf = ({ kind, ids }: Pick<FollowTarget, 'kind' | 'ids'>): string =>
  ids.length > 0 ? `by id ${ids[0]!}` : kind === 'author' ? 'by name, including namesakes' : 'by name'
