import { Type } from 'typebox'
import { feedsPage } from '../../../operations/feed/feeds-page.js'
import { tagsList } from '../../../operations/feed/tags-list.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import { projectNames } from '../../../operations/projects/project-names.js'
import { isLongEnough } from '../../../../schemas/search-text.js'
import { fromText } from '../fields.js'
import { accountPage } from '../page.js'
import { useView } from '../view.js'
import { StatedFilters } from './all-feeds/stated-filters.js'
import { type FeedLocation, filtersOf, isFiltered, statedTime } from './feed/address.js'
import { allFeedsActions } from './feed/changes.js'
import { Chips, statedIn } from './feed/chips.js'
import { Details } from './feed/details.js'
import { Filters } from './feed/filters.js'
import { List } from './feed/list.js'
import { itemAlone, openItem, Reader } from './feed/reader.js'
import { Summary } from './feed/summary.js'
import { searchTerms } from './feed/terms.js'

const { limit: _limit, ...listInput } = feedsPage.input.properties

const pageSize = 40

/** The items of all projects, to read and rate like those of one. Votes go to the project of each item. */
export const allFeedsPage = accountPage({
  url: '/feed',
  operations: [feedsPage, projectNames, projectPaperGet, tagsList],
  query: Type.Object({
    ...listInput,
    filter: feedsPage.input.properties.feedback_filter,
    item: projectPaperGet.input.properties.ref,
    alone: Type.Optional(Type.String())
  }),
  async show (context, { filter, item, alone, q, ...list }) {
    const query = q !== undefined && isLongEnough(q) ? q : undefined
    // Before anything is read.
    const input = feedsPage.check({ ...list, q: query, feedback_filter: filter ?? list.feedback_filter, limit: pageSize }, fromText)
    const { feedback_filter, seen, saved, tag, sort } = input
    const as_of = statedTime(input, context.now())
    const must_read = input.must_read === true ? true : undefined
    const location: FeedLocation = { base: '/feed', stated: statedIn(list), q, filter: feedback_filter, must_read, seen, saved, tag, sort }
    const { items: projects } = await projectNames.run(context, {})
    if (alone === 'true' && item !== undefined) {
      const opened = { ...location, offset: input.offset, as_of }
      return await itemAlone(context, item, { location: opened, projects })
    }
    const [page, { items: tags }] = await Promise.all([
      feedsPage.run(context, { ...input, as_of, must_read }),
      tagsList.run(context, {})
    ])
    const { items, total, offset, has_more, query: searchQuery } = page
    const here = { ...location, offset, as_of: page.as_of }
    const open = await openItem(context, item ?? items[0]?.id, here)
    return {
      title: 'All projects',
      allProjects: true,
      projects,
      wide: true,
      content: (
        <Reader
          location={here}
          title='All projects'
          known={tags}
          tools={
            <>
              <Filters location={filtersOf(here)} tags={tags}>
                <StatedFilters location={here} projects={projects} />
              </Filters>
              <Chips location={here} projects={projects} />
              <Summary
                location={here} total={total} has_all_counted rowCount={items.length} has_more={has_more} query={searchQuery} tags={tags}
              />
            </>
          }
        >
          <List
            location={here}
            items={items}
            current={open.item?.short_id}
            offset={offset}
            limit={pageSize}
            has_more={has_more}
            total={total}
            order={searchQuery === null ? sort ?? 'day' : undefined}
            terms={searchTerms(q)}
            now={context.now()}
            empty={<Empty location={here} hasProjects={projects.length > 0} />}
          />
          <Details location={here} item={open.item} isChosen={item !== undefined} message={open.message} projects={projects} />
        </Reader>
      )
    }
  },
  actions: allFeedsActions
})

/** Explains why the list is empty, and what to do. */
function Empty ({ location, hasProjects }: { location: FeedLocation, hasProjects: boolean }) {
  const { to } = useView()
  if (!hasProjects) return <>No papers yet. <a href={to('/projects/new')}>Create a project</a> first.</>
  const all = <a href={to(location.base)}>Show all papers</a>
  if ((location.offset ?? 0) > 0) return <>This page is past the end of the list. {all}.</>
  const q = location.q?.trim() ?? ''
  if (q !== '') return <>Nothing matches “{q}”{isFiltered(location) ? ' under these filters' : ''}. {all}.</>
  return isFiltered(location) ? <>No papers match these filters. {all}.</> : <>No papers yet. They appear after the first fetch.</>
}
