import type { ComponentChildren, VNode } from 'preact'
import { OperationError } from '../../../../errors/operation-errors.js'
import type { FeedItem } from '../../../../../schemas/feed.js'
import type { TagsListResult } from '../../../../../schemas/item-state.js'
import type { Context } from '../../../../operations/context.js'
import { projectPaperGet } from '../../../../operations/papers/project-paper-get.js'
import type { PageContent } from '../../page.js'
import { useView } from '../../view.js'
import { Messages } from '../../components/messages.js'
import { plainTitle } from '../../components/rich-text.js'
import type { FeedLocation } from './address.js'
import { Details, type ProjectName } from './details.js'
import { Shortcuts } from './keys.js'
import { MarkSignParts, TagParts } from './marks.js'
import { SelectionBar, TriageBar, VoteSigns } from './vote.js'
import { TuneDialog } from '../project-tune/choice.js'

interface ReaderProps {
  location: FeedLocation
  title: string
  /** Tags that fields complete. */
  known: TagsListResult['items']
  /** The filters, and the line above the list. */
  tools: ComponentChildren
  /** Messages above the list. */
  messages?: ComponentChildren
  /** The list, and the open paper. */
  children: [VNode, VNode]
}

/** A list of papers, the open paper beside it, and what triage needs: for one project or for all. */
export function Reader ({ location: { base }, title, known, tools, messages, children: [list, details] }: ReaderProps) {
  const { to } = useView()
  return (
    <div id='feed' class='feed' data-changes={to(base)}>
      <h1 id='feed-title' class='unseen'>{title}</h1>
      <section class='feed-list' aria-labelledby='feed-title'>
        <div class='tools'>{tools}</div>
        {messages}
        {list}
      </section>
      {details}
      <TriageBar />
      <VoteSigns />
      <MarkSignParts />
      <TagParts known={known} />
      <Messages><SelectionBar base={base} /></Messages>
      <Shortcuts />
      <TuneDialog />
    </div>
  )
}

/** The open item, or the reason why there is none. */
export interface OpenItem { item: FeedItem | undefined, message: string | undefined }

/** Reads the open item. Returns a message instead if it is missing. */
export async function openItem (context: Context, ref: string | undefined, { project_id }: FeedLocation): Promise<OpenItem> {
  if (ref === undefined) return { item: undefined, message: undefined }
  try {
    const item = await projectPaperGet.run(context, { ref })
    return project_id === undefined || item.project_id === project_id
      ? { item, message: undefined }
      : { item: undefined, message: 'This paper belongs to another project.' }
  } catch (error) {
    if (error instanceof OperationError && error.status < 500) return { item: undefined, message: 'This paper is no longer in the feed.' }
    throw error
  }
}

/** The open item without the list, which scripts have already. @param projects whose names the item shows */
export async function itemAlone (
  context: Context,
  ref: string,
  { location, projects }: { location: FeedLocation, projects?: readonly ProjectName[] }
): Promise<PageContent> {
  const { item, message } = await openItem(context, ref, location)
  return {
    title: plainTitle(item?.paper_title ?? 'Paper'),
    wide: true,
    content: (
      <>
        <h1 class='unseen'>Paper</h1>
        <Details location={location} item={item} isChosen message={message} projects={projects} />
      </>
    )
  }
}
