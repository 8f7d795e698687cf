import type { VNode } from 'preact'
import { Type } from 'typebox'
import { OperationError } from '../../../errors/operation-errors.js'
import type { FeedItem } from '../../../../schemas/feed.js'
import { downvoteReasons, type FeedbackFilter } from '../../../../schemas/feedback.js'
import { feedPage as feedPageOf } from '../../../operations/feed/feed-page.js'
import { feedbackClear } from '../../../operations/feed/feedback-clear.js'
import { feedbackSet } from '../../../operations/feed/feedback-set.js'
import { isLongEnough } from '../../../search/query.js'
import type { Context } from '../../../operations/context.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import type { FeedSort } from '../../../../schemas/feed-page.js'
import { fromText } from '../fields.js'
import { accountPage, action, type PageContent } from '../page.js'
import { useView } from '../view.js'
import type { FeedLocation } from './feed/address.js'
import { Details } from './feed/details.js'
import { Filters } from './feed/filters.js'
import { Shortcuts } from './feed/keys.js'
import { List } from './feed/list.js'
import { searchTerms } from './feed/terms.js'
import { SelectionBar, TriageBar, VoteSigns } from './feed/vote.js'
import { Messages } from '../components/messages.js'
import { Summary } from './feed/summary.js'

const pageInput = feedPageOf.input.properties
const reasons: readonly string[] = downvoteReasons

const pageSize = 40
/** Changes that scripts may send in one request. */
const maxChanges = 100

/** A project's feed: the list and the open item. */
export const feedPage = accountPage({
  url: '/projects/:project_id',
  operations: [feedPageOf, projectPaperGet],
  query: Type.Object({
    ...pageInput,
    filter: pageInput.feedback_filter,
    item: projectPaperGet.input.properties.ref,
    alone: Type.Optional(Type.Boolean())
  }),
  async show (context, { project_id = '', item, alone, q, filter, must_read, sort, as_of, offset: from }) {
    if (alone === true && item !== undefined) {
      return await itemAlone(context, item, {
        project_id,
        q,
        filter: filter as FeedbackFilter | undefined,
        must_read,
        sort: sort as FeedSort | undefined,
        offset: Number(from ?? 0) || undefined,
        as_of
      })
    }
    const query = q !== undefined && isLongEnough(q) ? q : undefined
    const page = await feedPageOf.run(
      context,
      {
        project_id,
        q: query,
        feedback_filter: filter ?? 'all',
        must_read: must_read === true ? true : undefined,
        sort,
        as_of,
        limit: pageSize,
        offset: from
      },
      fromText
    )
    const { offset } = page
    const location: FeedLocation = {
      project_id,
      q,
      filter: filter as FeedbackFilter | undefined,
      must_read,
      sort: sort as FeedSort | undefined,
      offset,
      as_of: page.as_of
    }
    const open = await openItem(context, item ?? page.items[0]?.id, project_id)
    const { total, has_all_counted, has_more, items, query: searchQuery } = page
    return {
      title: page.project.name,
      project: page.project,
      projects: page.projects,
      wide: true,
      content: (
        <Feed location={location}>
          <Summary
            location={location}
            total={total}
            has_all_counted={has_all_counted}
            rowCount={items.length}
            has_more={has_more}
            query={searchQuery}
          />
          <List
            location={location}
            items={items}
            current={open.item?.short_id}
            offset={offset}
            limit={pageSize}
            has_more={has_more}
            total={has_all_counted ? total : null}
            order={searchQuery === null ? ((sort ?? 'day') as FeedSort) : undefined}
            terms={searchTerms(q)}
            now={context.now()}
            empty={<Empty location={location} />}
          />
          <Details location={location} item={open.item} isChosen={item !== undefined} message={open.message} />
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
        await setVote(context, item, vote)
        // Without scripts, the browser scrolls back to the row.
        return { to: `${url}#row-${item.trim().slice(0, 8).toLowerCase()}` }
      }
    }),
    change: action({
      operations: [projectsGet, feedbackSet, feedbackClear],
      fields: Type.Object({ changes: Type.Array(Type.String({ description: 'A query string with item and vote.' })) }),
      async run (context, { project_id, changes }) {
        await projectsGet.run(context, { project_id })
        const refused: Array<{ item: string, message: string }> = []
        for (const change of changes.slice(0, maxChanges)) {
          const { item = '', vote = '' } = Object.fromEntries(new URLSearchParams(change))
          try {
            await setVote(context, item, vote)
          } catch (error) {
            if (!(error instanceof OperationError) || error.status >= 500) throw error
            refused.push({ item, message: error.userMessage })
          }
        }
        return { data: { refused } }
      }
    })
  }
})

/** Sets a vote, given as a vote, the reason of a downvote, or "clear". Repeating it changes nothing. */
async function setVote (context: Context, item: string, vote: string): Promise<void> {
  if (vote === 'clear') await feedbackClear.run(context, { paper_id: item })
  else if (reasons.includes(vote)) await feedbackSet.run(context, { paper_id: item, vote: 'downvote', downvote_reason: vote })
  else await feedbackSet.run(context, { paper_id: item, vote })
}

/** The open item without the list, which scripts have already. */
async function itemAlone (context: Context, ref: string, location: FeedLocation): Promise<PageContent> {
  const { item, message } = await openItem(context, ref, location.project_id)
  return {
    title: item?.paper_title ?? 'Paper',
    wide: true,
    content: (
      <>
        <h1 class='unseen'>Paper</h1>
        <Details location={location} item={item} isChosen message={message} />
      </>
    )
  }
}

/** Reads the open item. Returns a message instead if it is missing. */
async function openItem (
  context: Context,
  ref: string | undefined,
  project_id: string
): Promise<{ item: FeedItem | undefined, message: string | undefined }> {
  if (ref === undefined) return { item: undefined, message: undefined }
  try {
    const item = await projectPaperGet.run(context, { ref })
    return item.project_id === project_id
      ? { item, message: undefined }
      : { item: undefined, message: 'This paper belongs to another project.' }
  } catch (error) {
    if (error instanceof OperationError && error.status < 500) return { item: undefined, message: 'This paper is no longer in the feed.' }
    throw error
  }
}

function Feed ({
  location: { project_id, q, filter, must_read, sort },
  children: [summary, list, details]
}: {
  location: FeedLocation
  children: [VNode, VNode, VNode]
}) {
  const { to } = useView()
  return (
    <div id='feed' class='feed' data-changes={to(`/projects/${project_id}`)}>
      <h1 id='feed-title' class='unseen'>Feed</h1>
      <section class='feed-list' aria-labelledby='feed-title'>
        <div class='tools'>
          <Filters location={{ project_id, q, filter, must_read, sort }} />
          {summary}
        </div>
        {list}
      </section>
      {details}
      <TriageBar />
      <VoteSigns />
      <Messages><SelectionBar /></Messages>
      <Shortcuts />
    </div>
  )
}

/** Explains why the list is empty, and what to do. */
function Empty ({ location: { project_id, q = '', filter = 'all', must_read = false, offset = 0 } }: { location: FeedLocation }) {
  const { to } = useView()
  const all = <a href={to(`/projects/${project_id}`)}>Show the whole feed</a>
  if (offset > 0) return <>This page is past the end of the feed. {all}.</>
  if (q.trim() !== '') {
    return (
      <>
        Nothing in this feed matches “{q.trim()}”{filter !== 'all' || must_read ? ' under this filter' : ''}. {all}.
      </>
    )
  }
  if (filter !== 'all' || must_read) return <>No papers match this filter. {all}.</>
  return <>No papers yet. They appear after the first fetch; see <a href={to(`/projects/${project_id}/settings`)}>source status</a>.</>
}
