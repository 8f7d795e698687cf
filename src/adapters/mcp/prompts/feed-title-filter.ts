import { searchTextLength } from '../../../../schemas/search-text.js'
import { feedbackFilters } from '../../../../schemas/feedback.js'
import { maxLimit } from '../../../../schemas/paging.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { feedSearch } from '../../../operations/feed/feed-search.js'
import { projectKeywords } from '../../../operations/projects/project-keywords.js'
import { createYielder } from '../../../threads/yielder.js'
import type { Prompt } from '../prompt.js'
import { findProjectId, projectArgument, resolveProjectId, startsWith } from './project-argument.js'

/** Requirements spec:4.1-prompt-arguments and spec:4.1-prompt-text. */
export const feedTitleFilter: Prompt = {
  name: 'feed_title_filter',
  title: 'Find papers in a feed by a word in the title',
  description: 'Searches the whole feed of a project for a title keyword, on the server, and lists the matches.',
  arguments: [
    projectArgument,
    {
      name: 'title_keyword',
      title: 'Title keyword',
      description: `Words to search for, ${searchTextLength.minimum} to ${searchTextLength.maximum} characters.`,
      required: true,
      async complete (context, prefix, { project_id: project }) {
        const id = project === undefined ? undefined : await findProjectId(context, project)
        const { items } = await projectKeywords.run(context, id === undefined ? {} : { project_id: id })
        const matches = startsWith(prefix)
        const found: string[] = []
        const yieldIfDue = createYielder()
        for (const keyword of items) {
          await yieldIfDue()
          if (matches(keyword)) found.push(keyword)
        }
        return found
      }
    },
    {
      name: 'must_read',
      title: 'Must read only',
      description: '"true": only must-read papers; "false": only the others.',
      required: false,
      complete: async (_context, prefix) => ['true', 'false'].filter(startsWith(prefix))
    },
    {
      name: 'feedback_filter',
      title: 'Feedback',
      description: `Only papers with this feedback: ${feedbackFilters.join(', ')}.`,
      required: false,
      complete: async (_context, prefix) => feedbackFilters.filter(startsWith(prefix))
    },
    {
      name: 'limit',
      title: 'Limit',
      description: `Maximum number of papers, 1 to ${maxLimit}.`,
      required: false,
      complete: async (_context, prefix) => ['10', '20', '50', '100'].filter(startsWith(prefix))
    }
  ],
  async write (context, { title_keyword, project_id: project, ...others }) {
    const { project_id, q, ...filter } = checkSearch({ project_id: await resolveProjectId(context, project!), q: title_keyword, ...others })
    const search = JSON.stringify({ project_id, q, ...filter, detail: 'brief' })
    return [
      `Call the tool feed_search with exactly these arguments: ${search}`,
      '',
      `Then list the papers found whose title has ${JSON.stringify(q)} or a word that begins with it: title, authors, date, reference ` +
        'label, and one sentence from the summary. List other matches (by author, abstract or summary) separately and briefly.',
      'If has_more is true, say so, and offer the next page (the same arguments with a larger offset).',
      'Explain that the search ran on the server over the project\'s whole feed, not over papers shown earlier, ' +
        'and give the query as the server processed it.'
    ].join('\n')
  }
}

/** Validates the arguments of the search. Its errors name the prompt's argument. @throws InvalidArguments */
function checkSearch (input: object): ReturnType<typeof feedSearch.check> {
  try {
    return feedSearch.check(input, { encoding: 'text' })
  } catch (cause) {
    if (!(cause instanceof InvalidArguments) || cause.argument !== 'q') throw cause
    throw new InvalidArguments(`title_keyword${cause.message.slice(cause.argument.length)}`, { cause })
  }
}
