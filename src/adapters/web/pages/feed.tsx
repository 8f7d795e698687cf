import type { VNode } from 'preact'
import { Type } from 'typebox'
import { OperationError } from '../../../errors/operation-errors.js'
import type { FeedItem } from '../../../../schemas/feed.js'
import type { FeedbackFilter } from '../../../../schemas/feedback.js'
import { feedPage as feedPageOf } from '../../../operations/feed/feed-page.js'
import { tagsList } from '../../../operations/feed/tags-list.js'
import { isLongEnough } from '../../../search/query.js'
import type { Context } from '../../../operations/context.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import type { TagsListResult } from '../../../../schemas/item-state.js'
import type { FeedSort } from '../../../../schemas/feed-page.js'
import { fromText } from '../fields.js'
import { accountPage, type PageContent } from '../page.js'
import { useView } from '../view.js'
import { type FeedLocation, filtersOf, isFiltered } from './feed/address.js'
import { feedActions } from './feed/changes.js'
import { Details } from './feed/details.js'
import { Filters } from './feed/filters.js'
import { Shortcuts } from './feed/keys.js'
import { List } from './feed/list.js'
import { TagParts } from './feed/marks.js'
import { searchTerms } from './feed/terms.js'
import { SelectionBar, TriageBar, VoteSigns } from './feed/vote.js'
import { Messages } from '../components/messages.js'
import { Summary } from './feed/summary.js'

const pageInput = feedPageOf.input.properties

const pageSize = 40

/** A project's feed: the list and the open item. */
export const feedPage = accountPage({
  url: '/projects/:project_id',
  operations: [feedPageOf, projectPaperGet, tagsList],
  query: Type.Object({
    ...pageInput,
    filter: pageInput.feedback_filter,
    item: projectPaperGet.input.properties.ref,
    alone: Type.Optional(Type.Boolean())
  }),
  async show (context, { project_id = '', item, alone, q, filter, must_read, seen, saved, tag, sort, as_of, offset: from }) {
    const filters = {
      project_id,
      q,
      filter: filter as FeedbackFilter | undefined,
      must_read,
      seen,
      saved,
      tag,
      sort: sort as FeedSort | undefined
    }
    if (alone === true && item !== undefined) {
      return await itemAlone(context, item, { ...filters, offset: Number(from ?? 0) || undefined, as_of })
    }
    const query = q !== undefined && isLongEnough(q) ? q : undefined
    const page = await feedPageOf.run(
      context,
      {
        project_id,
        q: query,
        feedback_filter: filter ?? 'all',
        must_read: must_read === true ? true : undefined,
        seen,
        saved,
        tag,
        sort,
        as_of,
        limit: pageSize,
        offset: from
      },
      fromText
    )
    const { offset } = page
    const location: FeedLocation = { ...filters, offset, as_of: page.as_of }
    const [{ items: tags }, { items: known }] = await Promise.all([tagsList.run(context, { project_id }), tagsList.run(context, {})])
    const open = await openItem(context, item ?? page.items[0]?.id, project_id)
    const { total, has_all_counted, has_more, items, query: searchQuery } = page
    return {
      title: page.project.name,
      project: page.project,
      projects: page.projects,
      wide: true,
      content: (
        <Feed location={location} tags={tags} known={known}>
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
  actions: feedActions
})

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

interface FeedProps {
  location: FeedLocation
  /** Tags of the project, and of all projects. */
  tags: TagsListResult['items']
  known: TagsListResult['items']
  children: [VNode, VNode, VNode]
}

function Feed ({ location, tags, known, children: [summary, list, details] }: FeedProps) {
  const { to } = useView()
  return (
    <div id='feed' class='feed' data-changes={to(`/projects/${location.project_id}`)}>
      <h1 id='feed-title' class='unseen'>Feed</h1>
      <section class='feed-list' aria-labelledby='feed-title'>
        <div class='tools'>
          <Filters location={filtersOf(location)} tags={tags} />
          {summary}
        </div>
        {list}
      </section>
      {details}
      <TriageBar />
      <VoteSigns />
      <TagParts known={known} />
      <Messages><SelectionBar projectId={location.project_id} /></Messages>
      <Shortcuts />
    </div>
  )
}

/** Explains why the list is empty, and what to do. */
function Empty ({ location }: { location: FeedLocation }) {
  const { to } = useView()
  const { project_id, q = '', offset = 0, saved, tag } = location
  const all = <a href={to(`/projects/${project_id}`)}>Show the whole feed</a>
  if (offset > 0) return <>This page is past the end of the feed. {all}.</>
  if (q.trim() !== '') {
    return (
      <>
        Nothing in this feed matches “{q.trim()}”{isFiltered(location) ? ' under this filter' : ''}. {all}.
      </>
    )
  }
  if (saved === true && !isFiltered({ ...location, saved: undefined })) return <>Papers that you save to read later appear here. {all}.</>
  if (tag !== undefined || isFiltered(location)) return <>No papers match this filter. {all}.</>
  return <>No papers yet. They appear after the first fetch; see <a href={to(`/projects/${project_id}/settings`)}>source status</a>.</>
}
