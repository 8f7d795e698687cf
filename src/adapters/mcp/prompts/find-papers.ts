import { searchTextLength } from '../../../../schemas/search-text.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { feedsGet } from '../../../operations/feed/feeds-get.js'
import type { Context } from '../../../operations/context.js'
import { findTitledPapers } from '../../../papers/titled-items.js'
import type { Prompt } from '../prompt.js'
import { maxListedPapers, quoteItems } from './listed-papers.js'

/** Searches all feeds, which no tool for models does except ChatGPT's. */
export const findPapers: Prompt = {
  name: 'find_papers',
  title: 'Find papers in all projects',
  description: 'Searches the feeds of all projects, on the server, and lists the best matches with their projects.',
  arguments: [
    {
      name: 'query',
      title: 'Query',
      description: `A subject, an author, a title or an identifier, ${searchTextLength.minimum} to ${searchTextLength.maximum} characters.`,
      required: true,
      complete: async (context, prefix) => (await findTitledPapers(context, prefix)).map(({ title }) => title)
        .filter(title => [...title].length <= searchTextLength.maximum)
    }
  ],
  async write (context, { query }) {
    const { items, has_more, query: processed } = await search(context, query!)
    const words = JSON.stringify(query)
    const isPartial = processed?.includes(' OR ') === true
    if (items.length === 0) {
      return `I searched all my Litfeed projects for ${words}, and no paper matches. Say so, and propose other words or spellings that I ` +
        'could search for. A paper that I name can be added with paper_add, if you have that tool.'
    }
    return [
      `Find papers for ${words} in all my Litfeed projects. The service has searched every feed as a whole; the best matches come first. ` +
      `Query as it was processed: ${JSON.stringify(processed)}${isPartial ? ', so some match only in part' : ''}.`,
      '',
      ...quoteItems(items),
      '',
      '1. List those that fit, each with title, first authors, date, project, and one sentence from its summary on why it fits. Cite it ' +
      'by its reference_label, linked to its link. Leave out those that only share a word with the query, and say how many you left out.',
      '2. Where a summary does not decide, call paper_get or paper_markdown with its paper_id.',
      ...has_more ? ['3. There are more matches: offer to search one project further with feed_search.'] : []
    ].join('\n')
  }
}

/** Its errors name the prompt's argument. @throws InvalidArguments */
async function search (context: Context, q: string) {
  try {
    return await feedsGet.run(context, { q, limit: maxListedPapers })
  } catch (cause) {
    if (!(cause instanceof InvalidArguments) || cause.argument !== 'q') throw cause
    throw new InvalidArguments(`query${cause.message.slice(cause.argument.length)}`, { cause })
  }
}
