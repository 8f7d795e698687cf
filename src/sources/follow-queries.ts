import { bareName, nameParts } from '../papers/person-name.js'

/** A custom query of a source. */
export interface FollowQuery { name: string, query: string }

/** Queries for papers of people with an author's name. Indexes do not tell people of the same name apart. */
export function authorQueries (name: string): FollowQuery[] {
  const parts = nameParts(name)
  if (parts === undefined) return []
  const { family, initials } = parts
  return [
    { name: 'pubmed', query: `"${family} ${initials}"[Author]` },
    { name: 'europepmc', query: `AUTH:"${family} ${initials}"` },
    { name: 'arxiv', query: `au:"${bareName(name.replaceAll(',', ' '))}"` }
  ]
}

/** Queries for the papers of a journal. */
export function journalQueries (venue: string): FollowQuery[] {
  const journal = bareName(venue)
  return journal === '' ? [] : [{ name: 'pubmed', query: `"${journal}"[Journal]` }, { name: 'europepmc', query: `JOURNAL:"${journal}"` }]
}
