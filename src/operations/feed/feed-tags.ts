import { Type } from 'typebox'
import { ProjectInput } from '../../../schemas/project.js'
import { TagsListResult } from '../../../schemas/item-state.js'
import { countTagSpellings } from '../../papers/tag-spellings.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { byTag, maxSpellings } from './tags-list.js'

/** For the page of a feed, which needs both lists. @throws ProjectNotFound */
export const feedTags = operation({
  name: 'feed_tags',
  title: 'List the tags of a feed',
  description: 'Returns the tags of a project, most used first, and the tags of all projects for completion.',
  input: ProjectInput,
  output: Type.Object({ items: TagsListResult.properties.items, known: TagsListResult.properties.items }),
  async handler ({ db, account, key }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const spellings = await countTagSpellings(db, account.id, key?.projectIds ?? null, maxSpellings, project_id)
    const inProject = spellings.filter(({ papers_within }) => papers_within > 0).sort((a, b) => b.papers_within - a.papers_within)
    return { items: byTag(inProject.map(each => ({ ...each, papers: each.papers_within }))), known: byTag(spellings) }
  }
})
