import type { ProjectSource } from '../../schemas/project.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { findSource, sourceNames, sources } from './index.js'

/** The sources of a new project that names none; each makes its query of the project's interest. */
export const defaultSources: readonly ProjectSource[] = sources.filter(({ isDefault }) => isDefault).map(({ name }) => ({ name, query: '' }))

/** Refuses unknown sources and invalid queries. @throws InvalidArguments */
export function checkSources (chosen: readonly ProjectSource[]): void {
  const seen = new Set<string>()
  for (const [at, { name, query }] of chosen.entries()) {
    const source = findSource(name)
    if (source === undefined) throw new InvalidArguments(`sources.${at}.name is "${name.slice(0, 80)}"; allowed: ${sourceNames.join(', ')}.`, { userMessage: 'This source does not exist. Reload the page and try again.' })
    const isEmpty = query.trim() === ''
    if (isEmpty && source.settings === null) throw new InvalidArguments(`sources.${at}.query is empty; a journal feed needs the address of an RSS or Atom feed.`, { userMessage: 'Enter the address of an RSS or Atom feed.' })
    const fault = isEmpty ? null : source.checkQuery(query)
    if (fault !== null) throw new InvalidArguments(`sources.${at}.query is invalid: ${fault}`, { userMessage: `The custom query for ${source.title} is invalid: ${fault}` })
    if (seen.has(`${name} ${query}`)) throw new InvalidArguments(`sources.${at} is a duplicate. Remove one.`, { userMessage: `${source.title} has the same query twice. Remove one.` })
    seen.add(`${name} ${query}`)
  }
}
