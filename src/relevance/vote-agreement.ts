import { type Calibration, calibrate, logistic } from './calibration.js'
import type { Corpus } from './corpus.js'
import type { Interest, ScoredText } from './interest.js'
import { fitInterest, interestMatchParts, keywordWeight, type InterestModel, matchOf, type MatchedPaper } from './interest-model.js'
import { mean } from './statistics.js'

/** The part of an interest that papers are compared with. */
export type FormerInterest = Pick<Interest, 'interest_description' | 'positive_keywords'>

/** The best papers of an order: those that a feed shows first. In a small feed, a tenth would be too few to compare. */
const best = { share: 0.1, min: 5 }

type FeedPaper = MatchedPaper & ScoredText & { absoluteMatch: number }

/** A paper with a vote of an earlier interest. */
interface FormerVote extends MatchedPaper { isLiked: boolean }

interface Comparison {
  current: InterestModel
  corpus: Corpus
  /** The size of the vocabulary. */
  features: number
  /** The feed, with the match of each paper before anything is learned. */
  papers: readonly FeedPaper[]
}

/**
 * Creates a function that says how much votes count whose interest has changed since, 0 to 1. All votes of an interest keep the share of
 * the present order that it explains or, if it says nothing about the feed, the share that their upvotes explain. Beyond that, a vote
 * counts as far as the present interest predicts it better than chance.
 */
export function createAgreement ({ current, corpus, features, papers }: Comparison) {
  const match = createMatch(current)
  const matches = papers.map(match)
  // Absolute matches decide how many papers an interest may want.
  const calibration = calibrate(papers.map(({ absoluteMatch }, at) => ({ match: matches[at]!, target: absoluteMatch, weight: 1 })))
  const chance = mean(matches.map(value => probability(value, calibration)))
  return (former: Interest, keywordMatch: (paper: FeedPaper) => number, votes: readonly FormerVote[]) => {
    const formerPapers = papers.map(paper => ({ ...paper, keywordMatch: keywordMatch(paper) }))
    const formerMatch = createMatch(fitInterest(former, { corpus, papers: formerPapers, features }))
    const upvotes = votes.filter(({ isLiked }) => isLiked).map(match)
    const shared = explainedShare(formerPapers.map(formerMatch), matches) ?? Math.max(separation(upvotes, matches), 0) ** 2
    return (vote: FormerVote): number => {
      const liked = probability(match(vote), calibration)
      const excess = vote.isLiked ? (liked - chance) / (1 - chance) : (chance - liked) / chance
      return shared + (1 - shared) * Math.max(excess, 0)
    }
  }
}

/** A paper's match, without the numbers of its abstract: they are the same for every interest. */
function createMatch (model: InterestModel): (paper: MatchedPaper) => number {
  const partsOf = interestMatchParts(model)
  return ({ text, vector, keywordMatch }) => matchOf({ ...partsOf(text, vector), numbers: 0 }) + keywordWeight * keywordMatch
}

const probability = (match: number, { slope, intercept }: Calibration) => logistic(slope * match + intercept)

/**
 * The squared correlation of two orders, 0 if they are opposed, as far as their best papers are the same; null if the first orders nothing,
 * 1 if the second contradicts nothing. Two subjects of one field have words in common, and agree about the papers that neither wants.
 */
function explainedShare (one: readonly number[], other: readonly number[]): number | null {
  const [meanOne, meanOther] = [mean(one), mean(other)]
  let [both, squareOne, squareOther] = [0, 0, 0]
  for (const [at, value] of one.entries()) {
    both += (value - meanOne) * (other[at]! - meanOther)
    squareOne += (value - meanOne) ** 2
    squareOther += (other[at]! - meanOther) ** 2
  }
  if (squareOther < 1e-9) return 1
  if (squareOne < 1e-9) return null
  return both <= 0 ? 0 : Math.min(both * both / (squareOne * squareOther), sharedBest(one, other) ** 2)
}

/** The share of the best papers of an order among those of another, above chance. */
function sharedBest (one: readonly number[], other: readonly number[]): number {
  const count = Math.max(Math.round(one.length * best.share), best.min)
  const bestOf = (values: readonly number[]) => [...values.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, count)
  const ofOther = new Set(bestOf(other))
  const [shared, chance] = [bestOf(one).filter(at => ofOther.has(at)).length / count, count / one.length]
  return Math.max((shared - chance) / (1 - chance), 0)
}

/** How often one of the first is above one of the others, -1 to 1; 0 by chance. */
function separation (first: readonly number[], others: readonly number[]): number {
  if (first.length === 0 || others.length === 0) return 0
  let wins = 0
  for (const one of first) {
    for (const other of others) wins += Math.sign(one - other)
  }
  return wins / first.length / others.length
}
