import type { VNode } from 'preact'
import { Type } from 'typebox'
import { OperationError } from '../../../errors/operation-errors.js'
import type { FeedItem } from '../../../../schemas/feed.js'
import { downvoteReasons, type FeedbackFilter } from '../../../../schemas/feedback.js'
import { queryLength } from '../../../../schemas/feed.js'
import { feedPage as feedPageOf } from '../../../operations/feed/feed-page.js'
import { feedbackClear } from '../../../operations/feed/feedback-clear.js'
import { feedbackSet } from '../../../operations/feed/feedback-set.js'
import type { Context } from '../../../operations/context.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import { fromText } from '../fields.js'
import { accountPage, action } from '../page.js'
import { useView } from '../view.js'
import type { Place } from './feed/address.js'
import { Details } from './feed/details.js'
import { Filters } from './feed/filters.js'
import { Keys } from './feed/keys.js'
import { List } from './feed/list.js'
import { Summary } from './feed/summary.js'

const asked = feedPageOf.input.properties
const reasons: readonly string[] = downvoteReasons

/** Rows of a page: some screens full, and few enough to be light. */
const rowsShown = 40

/** A project's feed: the list and, beside it or in its place, one item. */
export const feedPage = accountPage({
  url: '/projects/:project_id',
  operations: [feedPageOf, projectPaperGet],
  query: Type.Object({ ...asked, filter: asked.feedback_filter, item: projectPaperGet.input.properties.ref }),
  async show (context, { project_id = '', item, q, filter, must_read, as_of, offset: from }) {
    const searched = q !== undefined && [...q.trim()].length >= queryLength.minimum ? q : undefined
    const page = await feedPageOf.run(context, { project_id, q: searched, feedback_filter: filter ?? 'all', must_read: must_read === true ? true : undefined, as_of, limit: rowsShown, offset: from }, fromText)
    const { offset } = page
    const place: Place = { project_id, q, filter: filter as FeedbackFilter | undefined, must_read, offset, as_of: page.as_of }
    const open = await openItem(context, item ?? page.items[0]?.id, project_id)
    const { total, has_all_counted, has_more, items, query } = page
    return {
      title: page.project.name,
      project: page.project,
      wide: true,
      content: (
        <Feed place={place}>
          <Summary place={place} total={total} has_all_counted={has_all_counted} shown={items.length} has_more={has_more} query={query} />
          <List place={place} items={items} current={open.item?.short_id} offset={offset} limit={rowsShown} has_more={has_more} total={has_all_counted ? total : null} empty={<Empty place={place} />} />
          <Details place={place} item={open.item} isChosen={item !== undefined} message={open.message} />
        </Feed>
      )
    }
  },
  actions: {
    vote: action({
      operations: [feedbackSet, feedbackClear],
      fields: Type.Object({
        item: projectPaperGet.input.properties.ref,
        vote: Type.String({ description: 'A vote, the reason of a downvote, or "clear".' })
      }),
      async run (context, { item = '', vote = '' }, { url }) {
        if (vote === 'clear') await feedbackClear.run(context, { ref: item })
        else if (reasons.includes(vote)) await feedbackSet.run(context, { ref: item, vote: 'downvote', downvote_reason: vote })
        else await feedbackSet.run(context, { ref: item, vote })
        // Without scripts, the list is again where its row is.
        return { to: `${url}#row-${item.trim().slice(0, 8).toLowerCase()}` }
      }
    })
  }
})

/** The item that an address or the list names; an address that names none leaves the list as it is. */
async function openItem (context: Context, ref: string | undefined, project_id: string): Promise<{ item: FeedItem | undefined, message: string | undefined }> {
  if (ref === undefined) return { item: undefined, message: undefined }
  try {
    const item = await projectPaperGet.run(context, { ref })
    return item.project_id === project_id ? { item, message: undefined } : { item: undefined, message: 'This paper belongs to another project.' }
  } catch (error) {
    if (error instanceof OperationError && error.status < 500) return { item: undefined, message: 'This paper is no longer in the feed.' }
    throw error
  }
}

function Feed ({ place: { project_id, q, filter, must_read }, children: [summary, list, details] }: { place: Place, children: [VNode, VNode, VNode] }) {
  return (
    <div id='feed' class='feed'>
      <h1 id='feed-title' class='unseen'>Feed</h1>
      <section class='feed-list' aria-labelledby='feed-title'>
        <Filters place={{ project_id, q, filter, must_read }} />
        {summary}
        {list}
      </section>
      {details}
      <p id='said' class='unseen' role='status' />
      <Keys />
    </div>
  )
}

/** Why nothing is listed, and what to do. */
function Empty ({ place: { project_id, q = '', filter = 'all', must_read = false, offset = 0 } }: { place: Place }) {
  const { to } = useView()
  const all = <a href={to(`/projects/${project_id}`)}>Show the whole feed</a>
  if (offset > 0) return <>This page is past the end of the feed. {all}.</>
  if (q.trim() !== '') return <>Nothing in this feed matches “{q.trim()}”{filter !== 'all' || must_read ? ' under this filter' : ''}. {all}.</>
  if (filter !== 'all' || must_read) return <>No papers match this filter. {all}.</>
  return <>No papers yet. They appear after the first fetch; see <a href={to(`/projects/${project_id}/settings`)}>source status</a>.</>
}
