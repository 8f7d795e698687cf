import type { FollowTarget } from '../../schemas/follow.js'
import { comparableForm } from '../../schemas/normal-form.js'
import type { FollowReason } from '../../schemas/relevance.js'
import type { Author } from '../../schemas/paper.js'
import { issnIn, openalexAuthorIn, openalexInstitutionIn, openalexSourceIn, orcidIn, rorIn } from './identifiers.js'
import { comparableName, givenName, readName, spellingsOf } from './person-name.js'

/** The fields of a paper that follows are compared with. */
export interface Followable {
  authors: readonly Author[]
  venue_name: string | null
  metadata: { issn?: unknown, issn_l?: unknown, issns?: unknown, openalex_source?: unknown }
}

const readers: Record<FollowTarget['kind'], Array<(text: string) => string | null>> = {
  author: [orcidIn, openalexAuthorIn],
  journal: [issnIn, openalexSourceIn],
  institution: [rorIn, openalexInstitutionIn]
}

/** The valid ids of something to follow, each once; null if one of them is invalid for the kind. */
export function followIds (kind: FollowTarget['kind'], written: readonly string[]): string[] | null {
  const ids = written.flatMap(id => readers[kind].map(read => read(id)).find(found => found !== null) ?? [])
  return ids.length < written.length ? null : [...new Set(ids)]
}

/** The institutions of an author, each with its ids: the OpenAlex id of one with a ROR id follows it. */
export function institutionsIn (affiliations: readonly string[]): string[][] {
  const institutions: string[][] = []
  for (const [at, id] of affiliations.entries()) {
    if (at > 0 && isOpenalex(id) && !isOpenalex(affiliations[at - 1]!)) institutions.at(-1)!.push(id)
    else institutions.push([id])
  }
  return institutions
}

/** Whether both have ORCID iDs, and none in common. */
const haveOtherOrcids = (these: readonly string[], those: readonly string[]): boolean =>
  these.some(isOrcid) && those.some(isOrcid) && !these.some(id => isOrcid(id) && those.includes(id))

const isOpenalex = (institution: string) => institution.startsWith('I')

/**
 * Creates a function that finds the follow of the same person, journal or institution: by an id, or by name if neither side has one. People
 * with different ORCID iDs are not the same.
 */
export function sameFollowFinder<T extends FollowTarget> (follows: readonly T[]): (target: FollowTarget) => T | undefined {
  const keyOf = ({ kind, name }: FollowTarget) => `${kind} ${kind === 'author' ? comparableName(name) : comparableForm(name)}`
  const [withIds, named] = [follows.filter(({ ids }) => ids.length > 0), follows.filter(({ ids }) => ids.length === 0)]
  const byName = new Map(named.map(follow => [keyOf(follow), follow]))
  return target => target.ids.length === 0
    ? byName.get(keyOf(target))
    : withIds.find(({ kind, ids }) => kind === target.kind && ids.some(id => target.ids.includes(id)) &&
        !(kind === 'author' && haveOtherOrcids(ids, target.ids)))
}

/**
 * Creates a function that finds what is followed in a paper. Ids decide: a namesake with another id of the same kind does not match, and
 * an id matches whatever the spelling of the name. Where the two sides have no kind of id in common, the name decides. A journal has an
 * ISSN for each medium, of which a record may state one: journals with different ISSNs and equal titles are the same, unless OpenAlex
 * tells them apart.
 */
export function followMatcher (follows: readonly FollowTarget[]): (paper: Followable) => FollowReason[] {
  const ofKind = (kind: FollowTarget['kind']) => follows.filter(follow => follow.kind === kind)
  const [authors, journals, institutions] = [ofKind('author'), ofKind('journal'), ofKind('institution')]
  const matchers: Matcher[] = [
    ...(authors.length === 0 ? [] : [authorMatcher(authors)]),
    ...(journals.length === 0 ? [] : [journalMatcher(journals)]),
    ...(institutions.length === 0 ? [] : [institutionMatcher(institutions)])
  ]
  return paper => {
    const found: Found = new Map()
    for (const match of matchers) match(paper, found)
    if (found.size === 0) return []
    return follows.flatMap(follow => {
      const by = found.get(follow)
      return by === undefined ? [] : [{ kind: follow.kind, name: follow.name, by }]
    })
  }
}

type Found = Map<FollowTarget, FollowReason['by']>
/** Adds the follows that a paper matches. */
type Matcher = (paper: Followable, found: Found) => void

/** Large collaborations have thousands of authors: each is looked up among the follows, and parsed only if a family name can match. */
function authorMatcher (follows: readonly FollowTarget[]): Matcher {
  const byId = followsById(follows)
  const findByName = nameMatcher(follows)
  return ({ authors }, found) => {
    for (const { name, orcid, openalex } of authors) {
      const ids = [orcid, openalex].filter(id => id !== undefined)
      for (const id of ids) for (const follow of byId.get(id) ?? []) if (!hasOtherOrcid(follow, orcid)) found.set(follow, 'id')
      for (const follow of findByName(name)) if (!found.has(follow) && !haveCommonKind(follow.ids, ids)) found.set(follow, 'name')
    }
  }
}

/** OpenAlex may give namesakes one id, so an ORCID iD counts more. */
const hasOtherOrcid = ({ ids }: FollowTarget, orcid: string | undefined): boolean =>
  orcid !== undefined && !ids.includes(orcid) && ids.some(isOrcid)

function journalMatcher (follows: readonly FollowTarget[]): Matcher {
  const byId = followsById(follows)
  const byTitle = groupedBy(follows, ({ name }) => [foldedTitle(name)])
  const byShortTitle = groupedBy(follows, ({ name }) => shortTitles(name))
  return (paper, found) => {
    const ids = journalIdsOf(paper)
    for (const id of ids) for (const follow of byId.get(id) ?? []) found.set(follow, 'id')
    const venue = paper.venue_name ?? ''
    const title = foldedTitle(venue)
    const sources = ids.filter(isSource)
    if (title === '') return
    for (const follow of byTitle.get(title) ?? []) {
      if (!found.has(follow) && !haveCommonKind(follow.ids.filter(isSource), sources)) found.set(follow, 'name')
    }
    // NLM adds to titles that several journals have, so ids and two additions tell them apart: "Microbiology (Reading, England)".
    for (const follow of [byShortTitle.get(title), ...shortTitles(venue).map(short => byTitle.get(short))].flatMap(each => each ?? [])) {
      if (!found.has(follow) && !haveCommonKind(follow.ids, ids)) found.set(follow, 'name')
    }
  }
}

function institutionMatcher (follows: readonly FollowTarget[]): Matcher {
  const byId = followsById(follows)
  return ({ authors }, found) => {
    for (const { affiliations = [] } of authors) {
      for (const id of affiliations) for (const follow of byId.get(id) ?? []) found.set(follow, 'id')
    }
  }
}

/** Whether an id of an author is an ORCID iD: those of OpenAlex have no hyphens. */
const isOrcid = (id: string): boolean => id.includes('-')

/** Whether an id of a journal is OpenAlex's, which gives a journal one for all its ISSNs. */
const isSource = (id: string): boolean => !id.includes('-')

/** Whether both state an id of one kind: ORCID iDs and ISSNs have hyphens, those of OpenAlex have none. */
const haveCommonKind = (ids: readonly string[], others: readonly string[]): boolean =>
  ids.some(id => others.some(other => id.includes('-') === other.includes('-')))

const followsById = (follows: readonly FollowTarget[]) => groupedBy(follows, ({ ids }) => ids)

function groupedBy<T> (all: readonly T[], keysOf: (each: T) => readonly string[]): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    for (const key of keysOf(each)) {
      const group = groups.get(key)
      if (group === undefined) groups.set(key, [each])
      else group.push(each)
    }
  }
  return groups
}

function journalIdsOf ({ metadata: { issn, issn_l, issns, openalex_source } }: Followable): string[] {
  const stated = [issn, issn_l, ...(Array.isArray(issns) ? issns.slice(0, 20) : [])]
  return [
    ...stated.map(each => typeof each === 'string' ? issnIn(each) : null),
    typeof openalex_source === 'string' ? openalex_source : null
  ].filter(id => id !== null)
}

const foldedTitle = (title: string) => comparableForm(title).replace(/^the /, '')

/** A place, a year or an edition that NLM adds: "(London, England)", "(Bethesda, Md. : 1985)", "(Clinical research ed.)". */
const placeOrEdition =
  /\s\((?:(?!Section|Series|Part|Class)\p{Lu}[^(),]{0,60}(?:,[^(),]{1,60}){1,3}|\d{4}|[^(),]{1,60}\sed\.(?:\s[^(),]{1,60})?)\)$/u
/** What NLM adds after a colon between spaces: "a journal of neurology", "RCM". The name of a part begins with a capital. */
const subtitle = /^(?:\p{Ll}|\p{Lu}{2,8}$)|\s(?:journal|publication|organ)\s/u

/**
 * The title of a journal without what NLM adds to it, folded: "lancet" of "Lancet (London, England)", "brain" of "Brain : a journal of
 * neurology". "Journal of Physics: Energy" is whole. @returns a list of one title; empty if nothing was added
 */
function shortTitles (title: string): string[] {
  const named = title.trim().replace(placeOrEdition, '')
  const { name, added = '' } = /^(?<name>[^:(]*)\s:\s(?<added>.+)$/u.exec(named)?.groups ?? {}
  const short = foldedTitle(name !== undefined && subtitle.test(added) ? name : named)
  return short === '' || short === foldedTitle(title) ? [] : [short]
}

/** A name of several words, folded. */
interface PersonName { family: string, initials: string, given: string, isDoubtful: boolean }

/**
 * Creates a function that finds the follows whose name can be that of a person: equal family names, and given names or initials of which
 * one begins with the other. Names of one word must be equal.
 */
function nameMatcher (follows: readonly FollowTarget[]): (name: string) => FollowTarget[] {
  if (follows.length === 0) return () => []
  const named = follows.map(follow => ({ follow, wholes: wholeNames(follow.name), names: personNames(follow.name) }))
  const byWhole = groupedBy(named, ({ wholes }) => wholes)
  const byFamily = groupedBy(named.flatMap(({ follow, names }) => names.map(name => ({ follow, name }))), ({ name }) => [name.family])
  const familyEnds = new Set([...byFamily.keys()].map(lastWord))
  return written => {
    const wholes = wholeNames(written)
    const same = wholes.flatMap(whole => byWhole.get(whole) ?? [])
    // Most names have no word of a family name that is followed.
    if (same.length === 0 && !wholes.some(whole => whole.split(' ').some(word => familyEnds.has(word)))) return []
    const names = personNames(written)
    if (names.length === 0) return same.map(({ follow }) => follow)
    return [
      ...names.flatMap(name => (byFamily.get(name.family) ?? []).filter(each => isSameName(each.name, name))),
      ...same.filter(each => each.names.length === 0)
    ].map(({ follow }) => follow)
  }
}

const wholeNames = (name: string): string[] => [...new Set(spellingsOf(name).map(comparableName))]

const lastWord = (text: string) => text.slice(text.lastIndexOf(' ') + 1)

/** Where capitals may be initials, as in "Smith MA", nothing less than the whole given name makes them the family name of Smith Ma. */
const isSameName = (one: PersonName, other: PersonName): boolean =>
  (one.initials.startsWith(other.initials) || other.initials.startsWith(one.initials)) &&
  (one.given === other.given || !(one.isDoubtful || other.isDoubtful)) &&
  (one.given.length < 2 || other.given.length < 2 || one.given === other.given)

/** A name as it can be read; none for one word. */
const personNames = (name: string): PersonName[] => readName(name).map(parts => ({
  family: comparableName(parts.family),
  initials: comparableName(parts.initials),
  given: givenName(parts),
  isDoubtful: parts.isDoubtful
}))
