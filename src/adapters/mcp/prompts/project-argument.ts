import type { Context } from '../../../operations/context.js'
import { projectNotFound } from '../../../operations/project-not-found.js'
import { projectsList } from '../../../operations/projects/projects-list.js'
import type { PromptArgument } from '../prompt.js'

/** Projects that a name is looked up among. */
const maxProjects = 100

/** Completes values that start with what was typed, whatever the case. */
export const startsWith = (prefix: string) => (value: string) => value.toLowerCase().startsWith(prefix.toLowerCase())

/** A project by name, since a person fills in a prompt; a UUID works too. */
export const projectArgument: PromptArgument = {
  name: 'project_id',
  title: 'Project',
  description: 'Name or UUID of the project.',
  required: true,
  async complete (context, prefix) {
    const { items } = await projectsList.run(context, { limit: maxProjects })
    const isShared = (name: string) => items.filter(each => each.name === name).length > 1
    const matches = startsWith(prefix)
    return items.filter(({ id, name }) => matches(name) || (prefix !== '' && matches(id)))
      .map(({ id, name }) => isShared(name) || !matches(name) ? id : name)
  }
}

/** The project that a person names: by UUID or name, or by the beginning of a name that no other has. @throws ProjectNotFound */
export async function resolveProject (context: Context, reference: string): Promise<{ id: string, name: string }> {
  const { items } = await projectsList.run(context, { limit: maxProjects })
  const text = normalized(reference)
  const exact = items.filter(({ id, name }) => id === text || normalized(name) === text)
  const matching = exact.length > 0 ? exact : items.filter(({ name }) => normalized(name).startsWith(text))
  if (matching.length !== 1) throw await projectNotFound(context, reference)
  return matching[0]!
}

const normalized = (text: string) => text.normalize('NFKC').trim().toLowerCase()
