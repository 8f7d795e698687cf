import type { FollowTarget } from '../../schemas/follow.js'
import { bareName, nameParts } from '../papers/person-name.js'

/** A custom query of a source. */
export interface FollowQuery { name: string, query: string }

/** ORCID iDs and ISSNs have hyphens, OpenAlex ids have none. */
const isHyphenated = (id: string) => id.includes('-')

/**
 * Queries for papers of people with an author's name, in each of its likely readings: "Xiaoming LI" may be "LI X". Names do not tell people
 * of the same name apart.
 */
export function authorQueries (name: string): FollowQuery[] {
  const readings = nameParts(name).filter(({ isDoubtful }) => !isDoubtful).map(({ family, initials }) => `${family} ${initials}`)
  if (readings.length === 0) return []
  return [
    { name: 'pubmed', query: readings.map(reading => `"${reading}"[Author]`).join(' OR ') },
    { name: 'europepmc', query: readings.map(reading => `AUTH:"${reading}"`).join(' OR ') },
    { name: 'arxiv', query: `au:"${bareName(name.replaceAll(',', ' '))}"` }
  ]
}

/** Queries for the papers of a journal, by its name. */
export function journalQueries (venue: string): FollowQuery[] {
  const journal = bareName(venue)
  return journal === '' ? [] : [{ name: 'pubmed', query: `"${journal}"[Journal]` }, { name: 'europepmc', query: `JOURNAL:"${journal}"` }]
}

/** Queries by ids where sources have such, then by name for the other sources. */
export function followQueries ({ kind, name, ids }: FollowTarget): FollowQuery[] {
  const byId = kind === 'author' ? personQueries(ids) : kind === 'journal' ? journalIdQueries(ids) : institutionQueries(ids)
  const byName = kind === 'author' ? authorQueries(name) : kind === 'journal' ? journalQueries(name) : []
  return [...byId, ...byName.filter(query => !byId.some(each => each.name === query.name))]
}

function personQueries (ids: readonly string[]): FollowQuery[] {
  const orcid = ids.find(isHyphenated)
  const openalex = ids.find(id => !isHyphenated(id))
  return [
    ...queriesOf(orcid, { pubmed: id => `${id}[auid]`, europepmc: id => `AUTHORID:"${id}"`, crossref: id => `orcid:${id}` }),
    ...queriesOf(openalex ?? orcid, {
      openalex: id => openalex === undefined ? `authorships.author.orcid:${id}` : `authorships.author.id:${id}`
    })
  ]
}

function journalIdQueries (ids: readonly string[]): FollowQuery[] {
  const issn = ids.find(isHyphenated)
  const openalex = ids.find(id => !isHyphenated(id))
  return [
    ...queriesOf(issn, { pubmed: id => `"${id}"[Journal]`, europepmc: id => `ISSN:"${id}"`, crossref: id => `issn:${id}` }),
    ...queriesOf(openalex ?? issn, {
      openalex: id => openalex === undefined ? `primary_location.source.issn:${id}` : `primary_location.source.id:${id}`
    })
  ]
}

function institutionQueries (ids: readonly string[]): FollowQuery[] {
  const ror = ids.find(id => id.startsWith('0'))
  const openalex = ids.find(id => id.startsWith('I'))
  return [
    ...queriesOf(ror ?? openalex, { openalex: id => `authorships.institutions.${ror === undefined ? 'id' : 'ror'}:${id}` }),
    ...queriesOf(ror, { crossref: id => `ror-id:${id}` })
  ]
}

const queriesOf = (id: string | undefined, forms: Record<string, (id: string) => string>): FollowQuery[] =>
  id === undefined ? [] : Object.entries(forms).map(([name, queryFor]) => ({ name, query: queryFor(id) }))
