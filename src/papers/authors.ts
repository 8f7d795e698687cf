import type { Author } from '../../schemas/paper.js'
import { maxAffiliations } from '../../schemas/paper-bounds.js'
import { institutionsIn } from './follows.js'
import { mayBeSamePerson, nameKeys } from './person-name.js'

const hasIds = ({ orcid, openalex, affiliations, group }: Author) =>
  orcid !== undefined || openalex !== undefined || affiliations !== undefined || group !== undefined

/**
 * Adds ids that another record of the work states to the authors whom both records name, by family name and first initial. Names that
 * occur twice in a list, and people of different ORCID iDs or given names, get none. A group is one under the same name.
 */
export function withIdsOf (authors: Author[], others: readonly Author[]): Author[] {
  if (!others.some(hasIds) || haveIdsOf(authors, others)) return authors
  const named = uniqueByName(others)
  const own = uniqueByName(authors)
  let isChanged = false
  const merged = authors.map(author => {
    const other = nameKeys(author.name).filter(key => own.get(key) === author).map(key => named.get(key)).find(each => each !== undefined)
    if (other === undefined || !mayBeSamePerson(author.name, other.name)) return author
    if (author.orcid !== undefined && other.orcid !== undefined && author.orcid !== other.orcid) return author
    const { name, group, ...ids } = other
    const affiliations = withOpenalexIds(author.affiliations, other.affiliations)
    const kind = group !== undefined && name === author.name ? { group } : {}
    const completed = { ...ids, ...kind, ...author, ...(affiliations === undefined ? {} : { affiliations }) }
    if (Object.keys(completed).length === Object.keys(author).length && affiliations?.length === author.affiliations?.length) return author
    isChanged = true
    return completed
  })
  return isChanged ? merged : authors
}

/** Whether two lists name the same people in the same order, and the first has all ids of the second, as after the same merge before. */
const haveIdsOf = (authors: readonly Author[], others: readonly Author[]): boolean => authors.every((author, at) => {
  const other = others[at]
  return other !== undefined && other.name === author.name &&
    (['orcid', 'openalex', 'group'] as const).every(id => other[id] === undefined || author[id] !== undefined) &&
    withOpenalexIds(author.affiliations, other.affiliations)?.length === author.affiliations?.length
})

/** Institutions with the ids that another record states for the same ones; all of the other's if there are none. */
function withOpenalexIds (own: Author['affiliations'], others: Author['affiliations']): Author['affiliations'] {
  if (own === undefined || others === undefined) return own ?? others
  if (others.every(id => own.includes(id))) return own
  const stated = institutionsIn(others)
  const completed = institutionsIn(own).flatMap(ids => [...stated.find(each => each.some(id => ids.includes(id))) ?? [], ...ids])
  return [...new Set(completed)].slice(0, maxAffiliations)
}

/** People by the key of their name; undefined for a name that occurs more than once. */
function uniqueByName (authors: readonly Author[]): Map<string, Author | undefined> {
  const people = new Map<string, Author | undefined>()
  for (const author of authors) {
    for (const key of nameKeys(author.name)) people.set(key, people.has(key) ? undefined : author)
  }
  return people
}
