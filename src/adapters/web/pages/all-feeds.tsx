import { Type } from 'typebox'
import { feedsGet } from '../../../operations/feed/feeds-get.js'
import { projectNames } from '../../../operations/projects/project-names.js'
import { isLongEnough } from '../../../search/query.js'
import { fromText } from '../fields.js'
import { accountPage } from '../page.js'
import type { AllFeedsLocation } from './all-feeds/address.js'
import { AllFeeds } from './all-feeds/view.js'
import { searchTerms } from './feed/terms.js'

const pageSize = 30

/** The items of all projects: a list, and a search with filters. Votes go to the project of each item. */
export const allFeedsPage = accountPage({
  url: '/feed',
  operations: [feedsGet, projectNames],
  query: Type.Object({ ...feedsGet.input.properties, filter: feedsGet.input.properties.feedback_filter }),
  async show (context, { filter, feedback_filter, limit: _limit, ...query }) {
    const location = { ...query, filter: filter ?? feedback_filter } as AllFeedsLocation
    const { q } = query
    const input = { ...query, feedback_filter: location.filter, q: q !== undefined && isLongEnough(q) ? q : undefined, limit: pageSize }
    const [page, { items: projects }] = await Promise.all([
      feedsGet.run(context, input, fromText),
      projectNames.run(context, {})
    ])
    return {
      title: 'All projects',
      allProjects: true,
      projects,
      content: <AllFeeds location={location} page={page} terms={searchTerms(q)} projects={projects} />
    }
  }
})
