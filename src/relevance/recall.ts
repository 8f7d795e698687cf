/*
 * Estimates how many relevant papers are still unrated from the sequence of votes: Callaghan and Müller-Hansen 2020, Statistical stopping
 * criteria for automated screening in systematic reviews, doi:10.1186/s13643-020-01521-4, in the variant for papers rated in the order of a
 * ranking. The latest votes count as a random sample of the papers that were unrated before them. A reader who rates the best papers first
 * finds relevant papers sooner than such a sample would, so the estimate errs towards more missing papers. A vote on a paper that scored
 * lower than the unrated ones did on average shows less: it counts as a part of a vote, in proportion to the scores. Votes without a
 * recorded weight count in full, which is not valid for somebody who rates the worst papers first.
 *
 * Each length of the sample is a test of its own, and some would be false by chance if all had the whole error. They share it: see Levels.
 * A reader sees the result after each vote, so that each relevant paper starts a sample that can be false by chance: see repeatedLevel.
 */

/** The share of relevant papers that a reader wants to have seen. */
export const targetRecall = 0.95
/** Shares that readers can see, ascending. Each is tested by itself. */
export const recallLevels = [0.8, 0.9, 0.95, 0.98] as const
/** The probability with which a bound holds. */
export const recallConfidence = 0.95
/** Samples that are tried, and the longest: they start after the latest relevant papers, or where new papers had been added. */
const maxSamples = 100

/**
 * The errors of the tests. All samples that found as many relevant papers are one test, since the shortest of them that is
 * long enough decides. With one that finds none, readers of the best papers first reach their goal; the longest tells most about others.
 */
interface Levels {
  /** Of samples that found nothing relevant. */
  run: number
  /** Of those that found 1, 2, … relevant papers, together. */
  later: number
  longest: number
  /** Whether the errors are those of all tests that are made while papers are rated, or of one. */
  isRepeated: boolean
}

/** Their sum is the error of a bound. */
const boundLevels: Levels = { run: 0.035, later: 0.0075, longest: 0.0075, isRepeated: true }
/** Estimates from them are too low as often as too high for papers in random order, by simulation. */
const medianLevels: Levels = { run: 0.2, later: 0.1, longest: 0.4, isRepeated: false }
/** Shares of the levels of 1, 2, … relevant papers: 1, 1/4, 1/9, … of this. */
const laterShare = 6 / Math.PI ** 2

/** A vote on a paper that had been in the feed without a vote. Times in milliseconds. */
export interface Rating {
  isRelevant: boolean
  ratedAt: number
  addedAt: number
  /** The score of the paper relative to the mean of the unrated ones when it was rated, 1 at most; null if it is not known. */
  weight?: number | null
}

/** The votes from the one at `start` on, which was cast at `startsAt`. */
export interface Sample { start: number, startsAt: number }

/** Input of the estimate. */
export interface Screening {
  /** Oldest first. */
  ratings: readonly Rating[]
  /** Papers that were rated for an earlier interest, and again or for a similar one: found, but not drawn from the unrated papers. */
  repeated?: readonly Rating[]
  /** Of the whole feed. */
  unrated: number
  /** Papers rated for another interest alone. All may be relevant; most likely, as large a share of them as of the others rated. */
  former?: number
  /** For each of `samplesOf`, the unrated papers that were added after it started. */
  unratedSince: readonly number[]
  /** For each of them, the unrated papers that were in the feed when it started, but are not any more. */
  leftSince?: readonly number[]
}

/** How much of what matters was seen. */
export interface RecallEstimate {
  /** Relevant papers found by rating. */
  relevant: number
  /** At most this many relevant papers are unrated or rated for another interest alone, with 95 % confidence. */
  maxMissing: number
  /** The median instead of the bound. */
  likelyMissing: number
  /** The share of relevant papers that was rated, at least, with 95 % confidence; 1 if none can be missing, though nothing was relevant. */
  minRecall: number
  /** Whether at least 95 % of the relevant papers were rated, with 95 % confidence. */
  isReached: boolean
  /** Votes that show it, if no further paper is relevant. */
  votesToTarget: number
  /** The share of the votes that count, since they were not on worse papers than those left. */
  votesThatCount: number
  /** Whether the scores of all papers are known when they were rated. */
  isOrderKnown: boolean
  /** The highest of `recallLevels` of which the same holds; null if there is none. */
  level: number | null
  /** The next higher level and the votes that show it, if no further paper is relevant; null at the highest one. */
  next: { level: number, votes: number } | null
}

/** The samples that can give the strongest evidence, newest first. @param ratings oldest first */
export function samplesOf (ratings: readonly Rating[]): Sample[] {
  const samples: Sample[] = []
  for (let start = ratings.length - 1; start >= 0 && samples.length < maxSamples; start--) {
    const [before, first] = [ratings[start - 1], ratings[start]!]
    // A longer sample without further relevant papers is stronger, unless papers were added meanwhile, which it cannot include.
    if (before === undefined || before.isRelevant || first.addedAt > before.ratedAt) samples.push({ start, startsAt: first.ratedAt })
  }
  const [first] = ratings
  if (first !== undefined && samples.at(-1)!.start > 0) samples.push({ start: 0, startsAt: first.ratedAt })
  return samples
}

/** An urn: papers that were unrated when a sample started, and what was drawn since. */
interface Urn { size: number, drawn: number, found: number, added: number }

/** Estimates from the samples of `samplesOf`. */
export function estimateRecall (
  { ratings, repeated = [], unrated, former = 0, unratedSince, leftSince }: Screening
): RecallEstimate {
  const relevant = [...ratings, ...repeated].reduce((sum, { isRelevant }) => sum + Number(isRelevant), 0)
  const weights = ratings.map(({ weight }) => weight ?? 1)
  const urns = samplesOf(ratings).map(({ start, startsAt }, at): Urn => {
    const added = unratedSince[at]!
    let [drawn, found, counted] = [0, 0, 0]
    for (let next = start; next < ratings.length; next++) {
      const { addedAt, isRelevant } = ratings[next]!
      if (addedAt > startsAt) continue
      drawn++
      counted += weights[next]!
      found += Number(isRelevant)
    }
    // Those that left scored low, so that fewer of them are relevant than of those that stayed: without them, a sample would promise more.
    // Votes that do not count stay in the urn, which errs towards more missing papers.
    return { size: unrated - added + drawn + (leftSince?.[at] ?? 0), drawn: Math.max(found, Math.floor(counted + 1e-9)), found, added }
  })
  const mostMissing = (levels: Levels) =>
    firstFrom(1, unrated + 1, missing => missing > unrated || isUnlikely(urns, missing, levels)) - 1
  const maxMissing = mostMissing(boundLevels) + former
  const isComplete = unrated === 0 && former === 0 && ratings.length + repeated.length > 0
  // If nothing is missing, nothing was relevant or all of it was found.
  const reaches = (level: number) =>
    isComplete || (ratings.length > 0 && maxMissing === 0) || (relevant > 0 && maxMissing < leastMissingBelow(level, relevant))
  const next: Urn = { size: unrated, drawn: 0, found: 0, added: 0 }
  const extended = [next, ...urns.filter(({ added }) => added === 0)]
  const votesTo = (level: number) => {
    if (reaches(level)) return 0
    const tooMany = leastMissingBelow(level, relevant) - former
    if (unrated === 0 || tooMany < 1) return unrated + former
    return firstFrom(1, unrated, votes =>
      unrated - votes < tooMany || isUnlikely(extended.map(urn => ({ ...urn, drawn: urn.drawn + votes })), tooMany, boundLevels))
  }
  const nextLevel = recallLevels.find(level => !reaches(level))
  return {
    relevant,
    maxMissing,
    likelyMissing: mostMissing(medianLevels) + (relevant === 0 ? 0 : former * relevant / (ratings.length + repeated.length)),
    minRecall: reaches(1) ? 1 : relevant === 0 ? 0 : relevant / (relevant + maxMissing),
    isReached: reaches(targetRecall),
    votesToTarget: votesTo(targetRecall),
    votesThatCount: weights.reduce((sum, weight) => sum + weight, 0) / (weights.length || 1),
    isOrderKnown: ratings.every(({ weight }) => weight != null),
    level: recallLevels.filter(reaches).at(-1) ?? null,
    next: nextLevel === undefined ? null : { level: nextLevel, votes: votesTo(nextLevel) }
  }
}

/** The least number of missing papers with which the share of relevant papers that was rated is below a level. */
const leastMissingBelow = (level: number, relevant: number): number => Math.floor((relevant * (1 - level)) / level + 1e-9) + 1

/** Whether so many missing papers are unlikely: some sample would then have had more relevant papers. @param urns newest first */
function isUnlikely (urns: readonly Urn[], missing: number, { run, later, longest, isRepeated }: Levels): boolean {
  const fewestAdded = Math.min(...urns.map(({ added }) => added))
  const longestUrn = urns.findLast(({ added }) => added === fewestAdded)
  return urns.some(urn => {
    const { size, drawn, found, added } = urn
    // Papers that were added later may all be relevant: nothing is known about them.
    const missingInUrn = missing - added
    const error = found === 0 ? run : later * laterShare / found ** 2
    if (missingInUrn <= 0) return false
    const probability = probabilityOfAtMost(found, { size, relevant: missingInUrn + found, drawn })
    return (urn === longestUrn && probability < longest) ||
      (probability < error && (!isRepeated || probability < repeatedLevel(error, missing)))
  })
}

/**
 * The significance level of a test that so many papers are missing, which is made again after each relevant paper that is found. While m
 * papers are missing, a sample without any is as unlikely as the level a says for `missing` with a probability of a^(m/missing). Over all
 * m from `missing` on, which would make the statement false, that is a / (1 − a^(1/missing)) in sum, at most `error`.
 */
function repeatedLevel (error: number, missing: number): number {
  let level = error
  for (let step = 0; step < levelSteps; step++) level = error * (1 - level ** (1 / missing))
  return level
}

/** Each step divides the distance to the level by at least four. */
const levelSteps = 8

/** The first integer for which a condition holds that holds for all greater ones; the last one if it holds for none. */
function firstFrom (first: number, last: number, holds: (value: number) => boolean): number {
  let [low, high] = [first, last]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** The tail of the hypergeometric distribution: the probability that at most `found` of the papers drawn are relevant. */
export function probabilityOfAtMost (found: number, { size, relevant, drawn }: { size: number, relevant: number, drawn: number }): number {
  const least = Math.max(0, drawn + relevant - size)
  if (found < least) return 0
  if (found >= Math.min(drawn, relevant)) return 1
  // Far above the mean, the first term would be too small for a number, and so would the sum that starts with it.
  if (found * size > drawn * relevant) return 1 - probabilityOfAtMost(drawn - found - 1, { size, relevant: size - relevant, drawn })
  let term = Math.exp(logChoose(relevant, found) + logChoose(size - relevant, drawn - found) - logChoose(size, drawn))
  let sum = term
  for (let count = found; count > least && term > sum * 1e-12; count--) {
    term *= (count * (size - relevant - drawn + count)) / ((relevant - count + 1) * (drawn - count + 1))
    sum += term
  }
  return Math.min(sum, 1)
}

const logChoose = (from: number, chosen: number) => logFactorial(from) - logFactorial(chosen) - logFactorial(from - chosen)

const smallFactorials = Array.from({ length: 20 }, (_, value) => {
  let sum = 0
  for (let factor = 2; factor <= value; factor++) sum += Math.log(factor)
  return sum
})

/** Stirling's series. @see Abramowitz and Stegun 1964, 6.1.41 */
const logFactorial = (value: number): number =>
  smallFactorials[value] ??
    value * Math.log(value) - value + Math.log(2 * Math.PI * value) / 2 + 1 / (12 * value) - 1 / (360 * value ** 3)
