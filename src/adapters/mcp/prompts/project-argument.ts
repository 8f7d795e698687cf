import { isUuid } from '../../../../schemas/ids.js'
import { normalForm } from '../../../../schemas/normal-form.js'
import { shortText } from '../../../../schemas/short-text.js'
import { InvalidArguments, ProjectNotFound } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { projectNotFound } from '../../../operations/project-not-found.js'
import { projectNames } from '../../../operations/projects/project-names.js'
import { createYielder } from '../../../threads/yielder.js'
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
    const named = await readNames(context)
    const counts = new Map<string, number>()
    for (const { compared } of named) counts.set(compared, (counts.get(compared) ?? 0) + 1)
    const matches = startsWith(prefix)
    const hasWord = (name: string) => name.split(/[^\p{L}\p{N}]+/u).some(matches)
    const [first, others]: [string[], string[]] = [[], []]
    const yieldIfDue = createYielder()
    for (const { id, name, compared } of named) {
      await yieldIfDue()
      const isShared = counts.get(compared)! > 1
      if (matches(name)) first.push(isShared ? id : name)
      else if (prefix !== '' && hasWord(name)) others.push(isShared ? id : name)
      else if (prefix !== '' && matches(id)) others.push(id)
    }
    return [...first, ...others]
  }
}

/** The caller's projects, each with the form in which its name is compared: once, since hostile names take long. */
async function readNames (context: Context): Promise<Array<{ id: string, name: string, compared: string }>> {
  const { items } = await projectNames.run(context, {})
  const yieldIfDue = createYielder()
  const named = []
  for (const { id, name } of items) {
    await yieldIfDue()
    named.push({ id, name, compared: normalized(name) })
  }
  return named
}

/** Projects that an error names. */
const maxNamed = 10

/**
 * The project that a person names: by UUID or name, or by words with which one name alone begins; if none does, by words within one.
 * @throws ProjectNotFound, and InvalidArguments for a name of several
 */
export async function resolveProject (context: Context, reference: string): Promise<{ id: string, name: string }> {
  const named = await readNames(context)
  const text = normalized(reference)
  const exact = named.filter(({ id, compared }) => id === text || compared === text)
  const begun = exact.length > 0 ? exact : named.filter(({ compared }) => compared.startsWith(text))
  const matching = begun.length > 0 ? begun : named.filter(({ compared }) => compared.includes(` ${text}`))
  if (matching.length > 1 && text !== '') {
    const some = matching.slice(0, maxNamed).map(({ id, name }) => `${JSON.stringify(name)} is ${id}`).join('; ')
    const more = matching.length > maxNamed ? `; ${matching.length - maxNamed} more in projects_list` : ''
    const name = JSON.stringify(shortText(reference, 80))
    throw new InvalidArguments(`project_id ${name} names several projects. Use the UUID: ${some}${more}.`)
  }
  if (matching.length !== 1) throw await projectNotFound(context, reference)
  return matching[0]!
}

/** The id of the project that a person names; undefined if that is none, or several. */
export async function findProjectId (context: Context, reference: string): Promise<string | undefined> {
  try {
    return (await resolveProject(context, reference)).id
  } catch (cause) {
    if (cause instanceof ProjectNotFound || cause instanceof InvalidArguments) return undefined
    throw cause
  }
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
