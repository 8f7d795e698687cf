import { TagsListInput, TagsListResult } from '../../../schemas/item-state.js'
import { countTagSpellings } from '../../papers/tag-spellings.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'

/** Spellings that are read; tags beyond them are rare ones. */
export const maxSpellings = 1000

/** The tags of the caller's items. A key limited to projects sees those of its projects. @throws ProjectNotFound */
export const tagsList = operation({
  name: 'tags_list',
  title: 'List tags',
  description: 'Returns the tags of all feeds or of one project, most used first.',
  input: TagsListInput,
  output: TagsListResult,
  scope: 'read',
  async handler ({ db, account, key }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const projectIds = project_id === undefined ? key?.projectIds ?? null : [project_id]
    const spellings = await countTagSpellings(db, account.id, projectIds, maxSpellings)
    return { items: byTag(spellings) }
  }
})

/** Counts the spellings of a tag together. The first spelling of a key is the most frequent one. */
export function byTag (spellings: ReadonlyArray<{ key: string, tag: string, papers: number }>): Array<{ tag: string, papers: number }> {
  const byKey = new Map<string, { tag: string, papers: number }>()
  for (const { key, tag, papers } of spellings) {
    const known = byKey.get(key)
    if (known === undefined) byKey.set(key, { tag, papers })
    else known.papers += papers
  }
  return [...byKey.values()].sort((a, b) => b.papers - a.papers)
}
