import type { Author } from '../../schemas/paper.js'
import { nameKey } from './person-name.js'

const hasIds = ({ orcid, openalex, affiliations }: Author) => orcid !== undefined || openalex !== undefined || affiliations !== undefined

/**
 * Adds ids that another record of the work states to the authors whom both records name, by family name and first initial. Names that
 * occur twice in a list, and people of different ORCID iDs, get none.
 */
export function withIdsOf (authors: Author[], others: readonly Author[]): Author[] {
  if (!others.some(hasIds)) return authors
  const named = uniqueByName(others)
  const own = uniqueByName(authors)
  let isChanged = false
  const merged = authors.map(author => {
    const key = nameKey(author.name)
    const other = own.get(key) === author ? named.get(key) : undefined
    if (other === undefined || (author.orcid !== undefined && other.orcid !== undefined && author.orcid !== other.orcid)) return author
    const { name: _, ...ids } = other
    const completed = { ...ids, ...author }
    if (Object.keys(completed).length === Object.keys(author).length) return author
    isChanged = true
    return completed
  })
  return isChanged ? merged : authors
}

/** People by the key of their name; undefined for a name that occurs more than once. */
function uniqueByName (authors: readonly Author[]): Map<string, Author | undefined> {
  const people = new Map<string, Author | undefined>()
  for (const author of authors) {
    const key = nameKey(author.name)
    people.set(key, people.has(key) ? undefined : author)
  }
  return people
}
