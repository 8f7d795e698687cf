import { LRUCache } from 'lru-cache'
import { createYielder } from '../threads/yielder.js'
import type { Interest } from './interest.js'
import { interestTerms } from './interest-terms.js'
import { extractTerms } from './terms.js'

/** The words that say what somebody wants. */
type Wanted = Pick<Interest, 'interest_description' | 'positive_keywords'>

/** With a smaller share of words in common, two interests are about different papers. */
const minShared = 0.5

/**
 * Returns since when the votes on a feed speak for its present interest: until then, it had one that shares less than half of all
 * words of both with it. Null: all do. @param former earlier interests, oldest first
 */
export async function votesSpeakSince (present: Wanted, former: ReadonlyArray<Wanted & { until: Date }>): Promise<Date | null> {
  const yieldIfDue = createYielder()
  for (const each of [...former].reverse()) {
    await yieldIfDue()
    if (!isSimilar(readWords(each), readWords(present))) return each.until
  }
  return null
}

/** Words of the interests that were read last: each reading of a long one takes milliseconds. */
const knownWords = new LRUCache<string, ReadonlySet<string>>({ max: 200 })

function readWords (wanted: Wanted): ReadonlySet<string> {
  const key = JSON.stringify([wanted.interest_description, wanted.positive_keywords])
  const words = knownWords.get(key) ?? wordsOf(wanted)
  knownWords.set(key, words)
  return words
}

function wordsOf ({ interest_description, positive_keywords }: Wanted): Set<string> {
  const keywords = positive_keywords.flatMap(keyword => extractTerms(keyword).map(({ term }) => term))
  return new Set([...interestTerms(interest_description).flat(), ...keywords])
}

/** An interest without words, as of somebody who only votes, contradicts none. */
function isSimilar (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size === 0 || other.size === 0) return true
  const shared = [...one].filter(word => other.has(word)).length
  return shared >= minShared * (one.size + other.size - shared)
}
