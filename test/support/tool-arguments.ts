import { tools } from '../../src/adapters/mcp/tools.js'

/** A project with a paper on sleep spindles, and the ids that tools take. */
interface ExampleIds { project_id: string, paper_id: string, doi: string }

/** Arguments of a valid call besides the ids that it requires. */
const others = ({ project_id, doi }: ExampleIds): Record<string, Record<string, unknown>> => ({
  feed_search: { q: 'spindles' },
  feed_brief: { project_id, consumer: 'weekly', limit: 2 },
  feedback_set: { vote: 'star' },
  paper_cite: { format: 'bibtex' },
  paper_add: { identifier: doi },
  project_create: { name: 'New', interest_description: 'x', positive_keywords: ['x'] },
  project_update: { name: 'Changed' },
  project_preview: { feed_threshold: 0.1 },
  search: { query: 'spindles' }
})

/** Valid arguments of each tool, by its name. */
export function toolArguments (ids: ExampleIds): Record<string, Record<string, unknown>> {
  const known: Record<string, unknown> = { ...ids, id: ids.paper_id }
  return Object.fromEntries(tools.map(({ operation: { name, input } }) => {
    const required: string[] = input.required ?? []
    return [name, { ...Object.fromEntries(required.filter(each => each in known).map(each => [each, known[each]])), ...others(ids)[name] }]
  }))
}
