import { Type } from 'typebox'
import type { FeedSort } from '../../../../../schemas/feed-page.js'
import { InvalidArguments } from '../../../../errors/operation-errors.js'
import type { Context } from '../../../../operations/context.js'
import { feedNeighbors } from '../../../../operations/feed/feed-neighbors.js'
import { projectProgress } from '../../../../operations/projects/project-progress.js'
import { isLongEnough } from '../../../../../schemas/search-text.js'
import { Icon } from '../../components/icon.js'
import { fromText, type Query } from '../../fields.js'
import { useView } from '../../view.js'
import { type FeedLocation, paperAddress } from '../feed/address.js'
import { statedIn } from '../feed/chips.js'
import { ShortcutsButton } from '../feed/keys.js'

/** The list that a paper's page steps through, as its address states it. */
export const stepsQuery = Type.Object({
  ...Type.Omit(feedNeighbors.input, ['item_id', 'all_projects']).properties,
  filter: feedNeighbors.input.properties.feedback_filter,
  offset: Type.Optional(Type.String({ description: 'Where the page of the list begins, to lead back to it.' })),
  item: Type.Optional(Type.String({ description: 'The feed item that stands for the paper.' })),
  all: Type.Optional(Type.String({ description: 'true if the list is of all projects.' }))
})

/** The place of a paper in a list, and the items next to it. */
export interface Place extends Awaited<ReturnType<typeof feedNeighbors.run>> {
  location: FeedLocation
  /** Name of the list. */
  name: string
  /** UUID of the item. */
  item: string
}

/** The place of a paper in the list of an address; without one, in the first feed that has it. Undefined: no feed has it. */
export async function findPlace (
  context: Context,
  feeds: ReadonlyArray<{ id: string, item: string, project_id: string, name: string }>,
  { item, all, q = '', filter, offset = '', ...listed }: Query<typeof stepsQuery>
): Promise<Place | undefined> {
  const named = item?.toLowerCase()
  const feed = feeds.find(({ id, item: shortId }) => named === id || named === shortId) ?? feeds[0]
  if (feed === undefined) return undefined
  const { id, project_id, name } = feed
  const isOfAll = all === 'true'
  const input = await orUndefined(async () => feedNeighbors.check({
    ...listed,
    item_id: id,
    all_projects: isOfAll,
    feedback_filter: filter ?? listed.feedback_filter,
    q: isLongEnough(q) ? q : undefined
  }, fromText))
  const { feedback_filter, seen, saved, tag, sort, as_of } = input ?? {}
  const must_read = input?.must_read === true ? true : undefined
  const begin = input !== undefined && /^\d{1,9}$/.test(offset) ? Number(offset) : undefined
  const list = { stated: input && statedIn(listed), q, filter: feedback_filter, must_read, seen, saved, tag, sort, offset: begin, as_of }
  const location: FeedLocation = isOfAll
    ? { base: '/feed', ...list }
    : { base: `/projects/${project_id}`, project_id, ...list, defaultSort: await defaultSortOf(context, project_id) }
  const neighbors = input && await orUndefined(async () =>
    await feedNeighbors.run(context, { ...input, must_read, sort: sort ?? location.defaultSort }))
  return { location, name: isOfAll ? 'All projects' : name, item: id, previous: [], next: [], ...neighbors }
}

/** Undefined if the list of an address is invalid: an address that was shortened or edited is still that of a paper. */
const orUndefined = async <T,>(read: () => Promise<T>): Promise<T | undefined> =>
  await read().catch((error: unknown) => {
    if (error instanceof InvalidArguments) return undefined
    throw error
  })

/** The order that the project's page shows by default. */
const defaultSortOf = async (context: Context, project_id: string): Promise<FeedSort> =>
  (await projectProgress.run(context, { project_id })).is_sample ? 'best' : 'day'

/** Links to the papers before and after. Scripts follow them without a reload, and in the order in which a list was shown. */
export function Steps ({ place: { location, item, previous, next } }: { place: Place }) {
  const { to } = useView()
  const address = ([id]: readonly string[]) => id === undefined ? {} : { href: to(paperAddress(location, { paperId: id, item: id })) }
  const items = { 'data-item': item, 'data-previous': previous.join(' '), 'data-next': next.join(' ') }
  return (
    <nav id='paper-steps' class='paper-steps' aria-label='Previous and next paper' {...items}>
      <ShortcutsButton />
      <a class='link-button' rel='prev' {...address(previous)}>
        <Icon name='back' />
        Previous
      </a>
      <a class='link-button' rel='next' {...address(next)}>
        Next
        <Icon name='next' />
      </a>
    </nav>
  )
}
