import { Type } from 'typebox'
import { feedPage as feedPageOf } from '../../../operations/feed/feed-page.js'
import { feedTags } from '../../../operations/feed/feed-tags.js'
import { isLongEnough } from '../../../../schemas/search-text.js'
import { libraryImports } from '../../../operations/papers/library-imports.js'
import { projectDelete } from '../../../operations/projects/project-delete.js'
import { projectProgress } from '../../../operations/projects/project-progress.js'
import { NotFound } from '../../../errors/operation-errors.js'
import { noticesNew } from '../../../operations/papers/notices-new.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import type { FeedSort } from '../../../../schemas/feed-page.js'
import type { ProjectProgress } from '../../../../schemas/project-progress.js'
import { fromText } from '../fields.js'
import { accountPage, action } from '../page.js'
import { useView } from '../view.js'
import { type FeedLocation, filtersOf, isFiltered, statedTime } from './feed/address.js'
import { feedActions } from './feed/changes.js'
import { Chips, statedIn } from './feed/chips.js'
import { Details } from './feed/details.js'
import { Filters } from './feed/filters.js'
import { ImportState } from './feed/import-state.js'
import { List } from './feed/list.js'
import { News } from './feed/news.js'
import { itemAlone, openItem, Reader } from './feed/reader.js'
import { Interruptions, Progress, SampleNotice } from './feed/start.js'
import { searchTerms } from './feed/terms.js'
import { Summary } from './feed/summary.js'

const { feedback_filter, limit: _limit, ...listInput } = feedPageOf.input.properties

const pageSize = 40

/** A project's feed: the list and the open item. */
export const feedPage = accountPage({
  url: '/projects/:project_id',
  operations: [feedPageOf, projectPaperGet, feedTags, libraryImports, noticesNew, projectProgress],
  query: Type.Object({
    ...listInput,
    filter: feedback_filter,
    item: projectPaperGet.input.properties.ref,
    alone: Type.Optional(Type.String())
  }),
  async show (context, { project_id = '', item, alone, q, filter, ...list }) {
    const query = q !== undefined && isLongEnough(q) ? q : undefined
    // Before anything is read.
    const input = feedPageOf.check({ project_id, q: query, feedback_filter: filter, ...list, limit: pageSize }, fromText)
    const { must_read, seen, saved, tag, sort } = input
    const as_of = statedTime(input, context.now())
    const { min_score, max_score, since, until, link } = list
    const stated = statedIn({ min_score, max_score, since, until, link })
    const progress = await projectProgress.run(context, { project_id })
    // The best of invented papers says more than the newest.
    const defaultSort: FeedSort = progress.is_sample ? 'best' : 'day'
    const filters = {
      base: `/projects/${project_id}`,
      project_id,
      stated,
      q,
      filter: input.feedback_filter,
      must_read,
      seen,
      saved,
      tag,
      sort,
      defaultSort
    }
    if (alone === 'true' && item !== undefined) {
      return await itemAlone(context, item, { location: { ...filters, offset: input.offset, as_of } })
    }
    const page = await feedPageOf.run(context, {
      ...input, as_of, must_read: must_read === true ? true : undefined, sort: sort ?? defaultSort
    })
    const { offset } = page
    const location: FeedLocation = { ...filters, offset, as_of: page.as_of }
    const { items: tags, known } = await feedTags.run(context, { project_id })
    const { items: imports } = await libraryImports.run(context, { project_id })
    const news = await noticesNew.run(context, { project_id })
    const open = await openItem(context, item ?? page.items[0]?.id, location)
    const { total, has_all_counted, has_more, items, query: searchQuery } = page
    return {
      title: page.project.name,
      project: page.project,
      projects: page.projects,
      wide: true,
      content: (
        <Reader
          location={location}
          title='Feed'
          known={known}
          tools={
            <>
              <Filters location={filtersOf(location)} tags={tags} />
              <Chips location={location} />
              <Summary
                location={location}
                total={total}
                has_all_counted={has_all_counted}
                rowCount={items.length}
                has_more={has_more}
                query={searchQuery}
                tags={tags}
              />
            </>
          }
          messages={
            <>
              {progress.is_sample && <SampleNotice location={location} />}
              {!isPart(location) && <Progress location={location} progress={progress} papers={total ?? items.length} />}
              <Interruptions location={location} progress={progress} />
              <ImportState projectId={project_id} imports={imports} now={context.now()} />
              <News location={location} news={news} />
            </>
          }
        >
          <List
            location={location}
            items={items}
            current={open.item?.short_id}
            offset={offset}
            limit={pageSize}
            has_more={has_more}
            total={has_all_counted ? total : null}
            order={searchQuery === null ? sort ?? defaultSort : undefined}
            terms={searchTerms(q)}
            now={context.now()}
            empty={<Empty location={location} progress={progress} />}
          />
          <Details location={location} item={open.item} isChosen={item !== undefined} message={open.message} />
        </Reader>
      )
    }
  },
  actions: {
    ...feedActions,
    'remove-sample': action({
      operations: [projectProgress, projectDelete],
      fields: Type.Object({}),
      async run (context, { project_id }) {
        const { is_sample } = await projectProgress.run(context, { project_id })
        if (!is_sample) throw new NotFound('This project is not a sample. Delete it in its settings.')
        await projectDelete.run(context, { project_id })
        return { to: '/', notice: 'Sample removed.' }
      }
    })
  }
})

/** Whether a search or filter hides papers of the feed: its count is not that of the first fetch. */
const isPart = (location: FeedLocation): boolean => (location.q ?? '').trim() !== '' || isFiltered(location)

/** Explains why the list is empty, and what to do. */
function Empty ({ location, progress }: { location: FeedLocation, progress: ProjectProgress }) {
  const { to } = useView()
  const { base, project_id, q = '', offset = 0, saved, tag } = location
  const { is_done, is_paused, sources, disabled_sources } = progress
  const all = <a href={to(base)}>Show the whole feed</a>
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
  const settings = to(`/projects/${project_id}/settings`)
  if (is_paused && !is_done) {
    const pausing = <a href={`${settings}#pausing`}>settings</a>
    return <>No papers yet: the project was paused before its first fetch ended. Resume it in the {pausing}.</>
  }
  if (sources.length === 0 && disabled_sources > 0) return <>No papers yet: an administrator of this service disabled all sources.</>
  if (sources.length === 0) {
    const imports = <a href={to(`/projects/${project_id}/import`)}>Import files</a>
    return <>No papers yet, and no sources. {imports}, or select sources in the <a href={settings}>settings</a>.</>
  }
  if (sources.every(({ state }) => state === 'failed')) {
    return <>No papers yet: all sources failed. See why in the <a href={settings}>settings</a>.</>
  }
  if (is_done) return <>No papers yet: nothing has matched. See the status of the sources in the <a href={settings}>settings</a>.</>
  return <>No papers yet. They appear after the first fetch; see <a href={settings}>source status</a>.</>
}
