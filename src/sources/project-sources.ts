import type { ProjectSource } from '../../schemas/project.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { findSource, sourceNames } from './index.js'

/** Where a project looks that names no sources: indexes that need no key and take a project's keywords. */
export const defaultSources: readonly ProjectSource[] = ['pubmed', 'europepmc', 'arxiv'].map(name => ({ name, query: '' }))

/** Every source that a project may name. */
export const projectSourceNames: readonly string[] = sourceNames

/** Refuses sources that there are not, and queries that cannot be asked. @throws InvalidArguments */
export function checkSources (sources: readonly ProjectSource[]): void {
  const seen = new Set<string>()
  for (const [at, { name, query }] of sources.entries()) {
    const source = findSource(name)
    if (source === undefined) throw new InvalidArguments(`sources.${at}.name is "${name.slice(0, 80)}"; allowed: ${sourceNames.join(', ')}.`)
    const fault = query.trim() === '' ? null : source.check(query)
    if (fault !== null) throw new InvalidArguments(`sources.${at}.query cannot be used: ${fault}`)
    if (query.trim() === '' && name === 'feed') throw new InvalidArguments(`sources.${at}.query is empty; a feed needs the address of an RSS or Atom feed.`)
    if (seen.has(`${name} ${query}`)) throw new InvalidArguments(`sources.${at} is listed twice. Leave one out.`)
    seen.add(`${name} ${query}`)
  }
}
