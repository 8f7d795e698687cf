import type { Interest } from '../relevance/interest.js'
import { type Source, SourceError } from './source.js'
import { findSource } from './index.js'

/** What one source of a project is asked: its own query, or what the project's keywords and interest make of it. @throws SourceError where it cannot be asked */
export function questionFor ({ name, query: own }: { name: string, query: string }, interest: Pick<Interest, 'positive_keywords' | 'interest_description'>): { source: Source, query: string } {
  const source = findSource(name)
  if (source === undefined) throw new SourceError('bad_query', `There is no source "${name}".`)
  const query = own.trim() === '' ? source.queryOf(interest) : own
  if (query === '') throw new SourceError('bad_query', 'There is nothing to ask for: give the project keywords or a description of its interest, or the source a query.')
  const fault = source.check(query)
  if (fault !== null) throw new SourceError('bad_query', fault)
  return { source, query }
}
