import type { FollowTarget } from '../../schemas/follow.js'
import type { FollowReason } from '../../schemas/relevance.js'
import type { Author } from '../../schemas/paper.js'
import { issnIn, openalexAuthorIn, openalexSourceIn, orcidIn, rorIn } from './identifiers.js'
import { nameParts } from './person-name.js'

/** The fields of a paper that follows are compared with. */
export interface Followable {
  authors: readonly Author[]
  venue_name: string | null
  metadata: { issn?: unknown, issn_l?: unknown, issns?: unknown, openalex_source?: unknown }
}

const readers: Record<FollowTarget['kind'], Array<(text: string) => string | null>> = {
  author: [orcidIn, openalexAuthorIn],
  journal: [issnIn, openalexSourceIn],
  institution: [rorIn]
}

/** The valid ids of something to follow, each once; null if one of them is none of its kind. */
export function followIds (kind: FollowTarget['kind'], written: readonly string[]): string[] | null {
  const ids = written.map(id => readers[kind].map(read => read(id)).find(found => found !== null) ?? null)
  return ids.includes(null) ? null : [...new Set(ids as string[])]
}

/** Whether two follows are of the same person, journal or institution. */
export function isSameFollow (one: FollowTarget, other: FollowTarget): boolean {
  if (one.kind !== other.kind) return false
  if (one.ids.length > 0 && other.ids.length > 0) return one.ids.some(id => other.ids.includes(id))
  return one.ids.length === other.ids.length && folded(one.name) === folded(other.name)
}

/**
 * Creates a function that finds what is followed in a paper. Ids decide: a namesake with other ids does not match, and an id matches
 * whatever the spelling of the name. Where either side has no id, the name decides.
 */
export function followMatcher (follows: readonly FollowTarget[]): (paper: Followable) => FollowReason[] {
  if (follows.length === 0) return () => []
  return paper => {
    const journal = { name: paper.venue_name, ids: journalIdsOf(paper) }
    const people = paper.authors.map(({ name, orcid, openalex }) =>
      ({ name, ids: [orcid, openalex].filter(id => id !== undefined) }))
    const rors = new Set(paper.authors.flatMap(({ affiliations = [] }) => affiliations))
    return follows.flatMap(({ kind, name, ids }): FollowReason[] => {
      const by = kind === 'institution'
        ? ids.some(id => rors.has(id)) ? 'id' : null
        : kind === 'journal'
          ? basisOf({ name, ids }, journal, isSameTitle)
          : strongest(people.map(person => basisOf({ name, ids }, person, isSameName)))
      return by === null ? [] : [{ kind, name, by }]
    })
  }
}

interface Named { name: string | null, ids: readonly string[] }
type Basis = FollowReason['by'] | null

function basisOf (followed: Named, stated: Named, isSame: (one: string, other: string) => boolean): Basis {
  if (followed.ids.some(id => stated.ids.includes(id))) return 'id'
  if (followed.ids.length > 0 && stated.ids.length > 0) return null
  return stated.name !== null && isSame(followed.name!, stated.name) ? 'name' : null
}

const strongest = (bases: readonly Basis[]): Basis => bases.includes('id') ? 'id' : bases.includes('name') ? 'name' : null

function journalIdsOf ({ metadata: { issn, issn_l, issns, openalex_source } }: Followable): string[] {
  const stated = [issn, issn_l, ...(Array.isArray(issns) ? issns.slice(0, 20) as unknown[] : [])]
  return [
    ...stated.map(each => typeof each === 'string' ? issnIn(each) : null),
    typeof openalex_source === 'string' ? openalex_source : null
  ].filter(id => id !== null)
}

const folded = (text: string) =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

const isSameTitle = (one: string, other: string) => folded(one).replace(/^the /, '') === folded(other).replace(/^the /, '')

/** Whether two spellings can be of one name: equal family names, and given names or initials of which one begins with the other. */
function isSameName (one: string, other: string): boolean {
  const [a, b] = [nameParts(one), nameParts(other)]
  if (a === undefined || b === undefined) return folded(one) === folded(other)
  if (folded(a.family) !== folded(b.family)) return false
  const [first, second] = [folded(a.initials), folded(b.initials)]
  if (!first.startsWith(second) && !second.startsWith(first)) return false
  const [given, otherGiven] = [givenName(one, a.family), givenName(other, b.family)]
  return given.length < 2 || otherGiven.length < 2 || given === otherGiven
}

/** The first given name, if it is spelled out; else its initial. */
function givenName (name: string, family: string): string {
  const [, afterComma] = name.split(',', 2)
  const words = folded(afterComma ?? name.replace(family, ' ')).split(' ')
  // "AB" are two initials.
  return words[0] !== undefined && /^\p{Lu}{1,3}$/u.test((afterComma ?? name.replace(family, ' ')).trim()) ? words[0].slice(0, 1) : words[0] ?? ''
}
