import { normalForm } from '../../../../schemas/normal-form.js'
import { shortText } from '../../../../schemas/short-text.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { projectNotFound } from '../../../operations/project-not-found.js'
import { projectNames } from '../../../operations/projects/project-names.js'
import { isUuid } from '../../../papers/references.js'
import type { PromptArgument } from '../prompt.js'

/** Completes values that start with what was typed, whatever the case. */
export function startsWith (prefix: string): (value: string) => boolean {
  const start = prefix.toLowerCase()
  return value => value.toLowerCase().startsWith(start)
}

/** A project by name, since a person fills in a prompt; a UUID works too. */
export const projectArgument: PromptArgument = {
  name: 'project_id',
  title: 'Project',
  description: 'Name or UUID of the project.',
  required: true,
  async complete (context, prefix) {
    const { items } = await projectNames.run(context, {})
    const isShared = (name: string) => items.filter(each => normalized(each.name) === normalized(name)).length > 1
    const matches = startsWith(prefix)
    const hasWord = (name: string) => name.split(/[^\p{L}\p{N}]+/u).some(matches)
    return [
      ...items.filter(({ name }) => matches(name)),
      ...items.filter(({ id, name }) => !matches(name) && prefix !== '' && (hasWord(name) || matches(id)))
    ].map(({ id, name }) => isShared(name) || !(matches(name) || hasWord(name)) ? id : name)
  }
}

/** Projects that an error names. */
const maxNamed = 10

/**
 * The project that a person names: by UUID or name, or by the beginning of a name that no other has.
 * @throws ProjectNotFound, and InvalidArguments for a name of several
 */
export async function resolveProject (context: Context, reference: string): Promise<{ id: string, name: string }> {
  const { items } = await projectNames.run(context, {})
  const text = normalized(reference)
  const exact = items.filter(({ id, name }) => id === text || normalized(name) === text)
  const matching = exact.length > 0 ? exact : items.filter(({ name }) => normalized(name).startsWith(text))
  if (matching.length > 1 && text !== '') {
    const named = matching.slice(0, maxNamed).map(({ id, name }) => `${JSON.stringify(name)} is ${id}`).join('; ')
    const more = matching.length > maxNamed ? `; ${matching.length - maxNamed} more in projects_list` : ''
    const name = JSON.stringify(shortText(reference, 80))
    throw new InvalidArguments(`project_id ${name} names several projects. Use the UUID: ${named}${more}.`)
  }
  if (matching.length !== 1) throw await projectNotFound(context, reference)
  return matching[0]!
}

/**
 * The id of the project that a person names. A UUID that is none of the caller's is passed on: the tool that gets it reports it.
 * @throws ProjectNotFound for a name, and InvalidArguments for one of several
 */
export async function resolveProjectId (context: Context, reference: string): Promise<string> {
  const id = normalized(reference)
  return isUuid(id) ? id : (await resolveProject(context, reference)).id
}

const normalized = (text: string) => normalForm(text, 'NFKC').trim().toLowerCase()
