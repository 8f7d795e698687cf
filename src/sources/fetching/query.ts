import { findSource } from '../index.js'
import { type SearchInterest, type Source, SourceError } from '../source.js'

/** The problem of a source without a query in a project without an interest. */
export const nothingToSearch =
  'There is nothing to search for: add keywords or a description to the project, or a custom query to the source.'

/** The source and query of a project's search: its custom query, or one made of its interest. @throws SourceError no_query, bad_query */
export function prepareQuery (
  { name, query: custom }: { name: string, query: string },
  interest: SearchInterest
): { source: Source, query: string } {
  const source = findSource(name)
  if (source === undefined) throw new SourceError('bad_query', `There is no source "${name}".`)
  const query = custom.trim() === '' ? source.buildQuery(interest) : custom
  if (query === '') {
    throw new SourceError('no_query', nothingToSearch)
  }
  const fault = source.checkQuery(query)
  if (fault !== null) throw new SourceError('bad_query', `The query of ${source.title} is invalid: ${fault}`)
  return { source, query }
}
