import type { FollowTarget } from '../../../schemas/follow.js'
import { bareName, nameParts, withoutGeneration } from '../../papers/person-name.js'
import { sources } from '../index.js'
import type { FollowIdKind, FollowQueries } from '../source.js'

/** A custom query of a source. */
export interface FollowQuery { name: string, query: string }

/** The kind of an id: ORCID iDs and ISSNs have hyphens, ROR ids begin with 0, OpenAlex ids with a letter. */
function idKindOf (kind: FollowTarget['kind'], id: string): FollowIdKind {
  if (kind === 'institution') return id.startsWith('0') ? 'ror' : 'openalex'
  return id.includes('-') ? kind === 'author' ? 'orcid' : 'issn' : 'openalex'
}

/** Queries by ids at the sources that have such, then by name at the others. Names do not tell people of the same name apart. */
export function followQueries (target: FollowTarget): FollowQuery[] {
  const queriesBy = (makeQuery: (queries: FollowQueries, target: FollowTarget) => string | undefined) =>
    sources.flatMap(({ name, followQueries: queries = {} }) => {
      const query = makeQuery(queries, target)
      return query === undefined ? [] : [{ name, query }]
    })
  const byId = queriesBy(queryById)
  return [...byId, ...queriesBy(queryByName).filter(({ name }) => !byId.some(each => each.name === name))]
}

function queryById ({ byId }: FollowQueries, { kind, ids }: FollowTarget): string | undefined {
  for (const [idKind, queryFor] of Object.entries(byId?.[kind] ?? {})) {
    // A person may have several ids in OpenAlex, and a journal has an ISSN for each medium.
    const ofKind = ids.filter(each => idKindOf(kind, each) === idKind)
    if (ofKind.length > 0) return queryFor(ofKind)
  }
  return undefined
}

function queryByName ({ byName }: FollowQueries, { kind, name }: FollowTarget): string | undefined {
  if (kind === 'journal') return bareName(name) === '' ? undefined : byName?.journal?.(bareName(name))
  if (kind === 'institution') return undefined
  const readings = nameParts(name).filter(({ isDoubtful }) => !isDoubtful).map(({ family, initials }) => `${family} ${initials}`)
  return readings.length === 0 ? undefined : byName?.author?.(bareName(withoutGeneration(name).replaceAll(',', ' ')), readings)
}
