import { FeedbackFilter } from '../../../../schemas/feedback.js'
import { maxLimit } from '../../../../schemas/paging.js'
import { feedSearch } from '../../../operations/feed/feed-search.js'
import { projectsList } from '../../../operations/projects/projects-list.js'
import type { Prompt } from '../prompt.js'

const filters = (FeedbackFilter as unknown as { enum: string[] }).enum

/** Source: specification, section 4.1, prompt. */
export const feedTitleFilter: Prompt = {
  name: 'feed_title_filter',
  title: 'Find papers in a feed by a word in the title',
  description: 'Searches the whole feed of a project for a title keyword, on the server, and lists what it finds.',
  arguments: [
    {
      name: 'project_id',
      title: 'Project',
      description: 'UUID of the project whose feed is searched.',
      required: true,
      async complete (context, begun) {
        const { items } = await projectsList.run(context, {})
        const start = begun.toLowerCase()
        return items.filter(({ id, name }) => id.startsWith(start) || name.toLowerCase().startsWith(start)).map(({ id }) => id)
      }
    },
    {
      name: 'title_keyword',
      title: 'Title keyword',
      description: 'Word or words to look for, 3 to 200 characters.',
      required: true,
      async complete (context, begun) {
        const { items } = await projectsList.run(context, {})
        return items.flatMap(({ positive_keywords }) => positive_keywords).filter(startsWith(begun))
      }
    },
    { name: 'must_read', title: 'Must read only', description: '"true": only must-read papers; "false": only the others.', required: false, complete: async (_context, begun) => ['true', 'false'].filter(startsWith(begun)) },
    { name: 'feedback_filter', title: 'Feedback', description: `Only papers with this feedback: ${filters.join(', ')}.`, required: false, complete: async (_context, begun) => filters.filter(startsWith(begun)) },
    { name: 'limit', title: 'How many', description: `How many papers at most, 1 to ${maxLimit}.`, required: false, complete: async (_context, begun) => ['10', '20', '50', '100'].filter(startsWith(begun)) }
  ],
  write ({ title_keyword, ...others }) {
    const { project_id, q, ...filter } = feedSearch.check({ q: title_keyword, ...others }, { encoding: 'text' })
    const search = JSON.stringify({ project_id, q, ...filter })
    return [
      `Call the tool feed_search with exactly these arguments: ${search}`,
      '',
      `Then list the papers found whose title has ${JSON.stringify(q)} or a word that begins with it: title, authors, date, reference label, and one sentence from the summary. Name other matches, found by author, abstract or summary, separately and briefly.`,
      'If has_more is true, say so, and offer the next page (the same arguments with a larger offset).',
      'Explain that the search ran on the server over the project\'s whole feed, not over papers shown earlier, and give the query as the server processed it.'
    ].join('\n')
  }
}

const startsWith = (begun: string) => (value: string) => value.toLowerCase().startsWith(begun.toLowerCase())
