import { LRUCache } from 'lru-cache'
import { maxFormerInterests } from '../../db/queries/former-interests.js'
import type { Period } from '../../db/queries/recall.js'
import { createYielder } from '../threads/yielder.js'
import type { Interest } from './interest.js'
import { interestTerms } from './interest-terms.js'
import { extractTerms } from './terms.js'

/** The words that say what somebody wants. */
type Wanted = Pick<Interest, 'interest_description' | 'positive_keywords'>

/** With a smaller share of words in common, two interests are about different papers. */
const minShared = 0.5

/** When votes speak for an interest. */
interface VotingPeriods {
  /** Since then, all do: until then, the project had another interest. Null: all votes do. */
  since: Date | null
  /** Earlier periods in which the project had a similar interest, oldest first. */
  alike: Period[]
}

/**
 * When the votes on a feed speak for its present interest. An interest that shares less than half of all words of both with it is another
 * one. @param former earlier interests, oldest first
 */
export async function votingPeriods (present: Wanted, former: ReadonlyArray<Wanted & { until: Date }>): Promise<VotingPeriods> {
  const yieldIfDue = createYielder()
  let since: Date | null = null
  let similar: Period[] = []
  const alike: Period[] = []
  for (const [at, each] of former.entries()) {
    await yieldIfDue()
    const after = former[at - 1]?.until ?? null
    const words = readWords(each)
    await yieldIfDue()
    if (!isSimilar(words, readWords(present))) {
      since = each.until
      alike.push(...similar)
      similar = []
    } else if (at > 0 || former.length < maxFormerInterests) {
      // Before the oldest of as many as are kept, there may have been others.
      similar.push({ after, until: each.until })
    }
  }
  return { since, alike }
}

/**
 * Of several interests, oldest first, the one that has the most in common with the next: small edits do not push out an interest that was
 * abandoned long ago. Where each is about different papers than the next, the oldest.
 */
export async function leastDistinct<T extends Wanted> (interests: readonly T[]): Promise<T> {
  const yieldIfDue = createYielder()
  let [least, mostShared] = [interests[0]!, minShared]
  for (const [at, next] of interests.slice(1).entries()) {
    const each = interests[at]!
    const words = readWords(each)
    await yieldIfDue()
    const shared = sharedPart(words, readWords(next))
    await yieldIfDue()
    if (shared > mostShared) [least, mostShared] = [each, shared]
  }
  return least
}

/** Characters of an interest that are compared. */
const maxComparedLength = 2500
/** Keywords that are compared. */
const maxComparedKeywords = 40
/** Words of the interests that were read last: each reading of a long one takes milliseconds. */
const knownWords = new LRUCache<string, ReadonlySet<string>>({ max: 200 })

function readWords (wanted: Wanted): ReadonlySet<string> {
  const key = JSON.stringify([wanted.interest_description, wanted.positive_keywords])
  const words = knownWords.get(key) ?? wordsOf(wanted)
  knownWords.set(key, words)
  return words
}

function wordsOf ({ interest_description, positive_keywords }: Wanted): Set<string> {
  const keywords = positive_keywords.slice(0, maxComparedKeywords).flatMap(keyword => extractTerms(keyword).map(({ term }) => term))
  return new Set([...interestTerms(interest_description.slice(0, maxComparedLength)).flat(), ...keywords])
}

/** An interest without words, as of somebody who only votes, contradicts none. */
const isSimilar = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === 0 || other.size === 0 || sharedPart(one, other) >= minShared

/** The share of all words of both that both have, 0 to 1; 1 without any. */
function sharedPart (one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const shared = [...one].filter(word => other.has(word)).length
  const all = one.size + other.size - shared
  return all === 0 ? 1 : shared / all
}
