import { feedsGet } from '../../../operations/feed/feeds-get.js'
import type { Prompt } from '../prompt.js'
import { maxListedPapers, quoteItems } from './listed-papers.js'
import { projectArgument, resolveProject } from './project-argument.js'

/** Works through the papers that a reader saved to read later. */
export const savedPapers: Prompt = {
  name: 'saved_papers',
  title: 'Go through my saved papers',
  description: 'Lists the papers that you saved to read later, in all projects or one, and proposes what to read first.',
  arguments: [{ ...projectArgument, description: 'Name or UUID of the project. Default: all projects.', required: false }],
  async write (context, { project_id: reference }) {
    const project = reference === undefined ? undefined : await resolveProject(context, reference)
    const place = project === undefined ? 'in all my Litfeed projects' : `in my project ${JSON.stringify(project.name)}`
    const { items, total } = await feedsGet.run(context, {
      saved: true,
      sort: 'newest',
      limit: maxListedPapers,
      ...(project === undefined ? {} : { project_id: project.id })
    })
    if (items.length === 0) {
      return `I have saved no papers ${place}. Say so, and that Save on a paper's page puts it on this list.`
    }
    return [
      `These are the papers that I saved to read later ${place}, last added to a feed first` +
      `${total !== null && total > items.length ? `: the first ${items.length} of ${total}` : ''}.`,
      '',
      ...quoteItems(items),
      '',
      '1. Group them by subject. For each: title, first authors, date and one sentence on what it found, from its summary alone. Cite it ' +
      'by its reference_label, linked to its link.',
      '2. Propose which three to read first, and why.',
      '3. When I choose one, read it with paper_markdown and its paper_id: outline: true, then the sections that matter.'
    ].join('\n')
  }
}
