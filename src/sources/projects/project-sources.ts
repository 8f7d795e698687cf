import type { ProjectSource, WrittenSource } from '../../../schemas/project.js'
import { shortText } from '../../../schemas/short-text.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { journalFeed } from '../journal-feed.js'
import { findSource, sourceNames, sources } from '../index.js'

/** The sources of a new project that names none; each makes its query of the project's interest. */
export const defaultSources: readonly ProjectSource[] = sources
  .filter(({ isDefault }) => isDefault)
  .map(({ name }) => ({ name, query: '' }))

/** Characters of all queries of a project together. Lists of projects contain them. */
export const maxQueriesLength = 20_000

/**
 * Refuses unknown sources, invalid queries, and more text in them than `maxQueriesLength`.
 * @param allowsAddress whether a journal feed may have this address @returns the sources with trimmed queries @throws InvalidArguments
 */
export function checkSources (written: readonly WrittenSource[], allowsAddress: (url: string) => boolean): ProjectSource[] {
  // Queries that differ in the space around them are the same query, and blank ones are the interest's.
  const chosen = written.map(({ name, query = '' }) => ({ name, query: query.trim() }))
  const length = chosen.reduce((sum, { query }) => sum + query.length, 0)
  if (length > maxQueriesLength) {
    throw new InvalidArguments(
      `The queries in sources have ${length} characters; at most ${maxQueriesLength} are allowed. Shorten or remove some.`,
      { userMessage: `The custom queries have ${length} characters; at most ${maxQueriesLength} are allowed. Shorten or remove some.` }
    )
  }
  const seen = new Set<string>()
  for (const [at, { name, query }] of chosen.entries()) {
    const source = findSource(name)
    if (source === undefined) {
      throw new InvalidArguments(`sources.${at}.name is "${shortText(name, 80)}"; allowed: ${sourceNames.join(', ')}.`, {
        userMessage: 'This source does not exist. Open the page again and choose another one.'
      })
    }
    const isEmpty = query === ''
    if (isEmpty && source.settings === null) {
      throw new InvalidArguments(`sources.${at}.query is empty; a journal feed needs the address of an RSS or Atom feed.`, {
        userMessage: 'Enter the address of an RSS or Atom feed.'
      })
    }
    const fault = isEmpty
      ? null
      : (source.checkQuery(query) ?? (source.settings === null ? faultOfAddress(query, allowsAddress) : null))
    if (fault !== null) {
      throw new InvalidArguments(`sources.${at}.query is invalid: ${fault}`, {
        userMessage: `The custom query for ${source.title} is invalid: ${fault}`
      })
    }
    if (seen.has(`${name} ${query}`)) {
      throw new InvalidArguments(`sources.${at} is a duplicate. Remove one.`, {
        userMessage: `${source.title} has the same query twice. Remove one.`
      })
    }
    seen.add(`${name} ${query}`)
  }
  return chosen
}

/** Characters of one query. */
const maxQueryLength = 2000

/** The reason why a journal feed cannot have an address, as when a person sets it; null if it can. */
export function faultOfFeedAddress (address: string, allowsAddress: (url: string) => boolean): string | null {
  if (address.length > maxQueryLength) return `The address has more than ${maxQueryLength.toLocaleString('en')} characters.`
  return journalFeed.checkQuery(address) ?? faultOfAddress(address.trim(), allowsAddress)
}

/** The same words as when it is fetched. */
const faultOfAddress = (url: string, allowsAddress: (url: string) => boolean) =>
  allowsAddress(url) ? null : `${new URL(url).hostname} is not on the public Internet.`
