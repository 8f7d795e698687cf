import { calibrate, type Calibration, type Outcome } from './calibration.js'
import { type Corpus, rounded } from './corpus.js'
import { countFeatures, createContentFilter, product, type Vector, createVectorizer, type Vocabulary } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { interestMatcher } from './interest-match.js'
import {
  fitInterest,
  type InterestModel,
  interestMatchParts,
  keywordWeight,
  matchOf,
  type MatchedPaper,
  standardize
} from './interest-model.js'
import { type Lessons, extractLessons } from './lessons.js'
import { type Example, fitSvm } from './svm.js'
import { type TokenizedText, tokenizeText } from './terms.js'

/** A paper with its vote. */
export interface Judged extends ScoredText {
  paper_id: string
  vote: 'upvote' | 'downvote' | 'star'
  downvote_reason: 'not_relevant' | 'low_quality' | null
}

/** A liked paper, to be named as similar to others. */
export interface Liked { paper_id: string, title: string, starred: boolean, vector: Vector }

/** What was learned from the feed and its votes: plain data, stored as JSON, about a megabyte at most. */
export interface Model {
  version: 2
  vocabulary: Vocabulary
  interest: InterestModel
  /** Weights learned from votes, by feature. Their products with the feed's papers have mean `weightsMean` and deviation 1. */
  weights: Vector
  weightsMean: number
  /** Shares in a match, of the interest and of keywords. The votes have the rest of the former. */
  shares: { interest: number, keywords: number }
  calibration: Calibration
  votes: { liked: number, disliked: number }
  /** For people. */
  lessons: Lessons
  /** Features that are named as reasons: those that rated papers share or name in their titles. */
  reasons: number[]
  liked: Liked[]
}

/** Low quality says little about the subject. */
const voteWeights = { star: 2, upvote: 1, not_relevant: 1, low_quality: 0.25 }
/** Cost of errors per vote, and the cost of all upvotes relative to all downvotes. @see ASReview, models.py, ELAS u4 */
const voteCost = 0.11
const balance = 9.8
/** Unrated papers that count as faint downvotes, since most papers of a feed are not wanted. */
const faintPapers = 100
const faintCost = 0.02 * voteCost
/** Votes that are left out in turn to see what the model predicts for them, and in how many parts. */
const maxValidated = 500
const folds = 5
/** Weight, in votes, of the absolute match with interest and keywords in the scores. */
const priorVotes = 5
/** The interest counts as much as this many upvotes, more with each of its words. */
const interestVotes = { base: 0.5, perWord: 0.25, max: 2 }
/** Keywords are the reader's own words and never lose all influence. */
const minKeywordShare = 0.2
const maxLiked = 50
const maxLikedFeatures = 40
const maxReasonFeatures = 5000

/** What a model is learned from. */
export interface Learning {
  interest: Interest
  corpus: Corpus
  judged: readonly Judged[]
  /** Unrated papers of the feed. */
  background: readonly ScoredText[]
}

interface Paper extends MatchedPaper { absoluteMatch: number }
interface Voted extends Paper, Judged { isLiked: boolean, weight: number }

/** Learns a model from a feed and its votes, if there are any. */
export function train ({ interest, corpus, judged, background }: Learning): Model {
  const tokenized = judged.map(tokenizeText)
  const vocabulary = corpus.vocabulary(new Set(tokenized.flatMap(text => [...countFeatures(text).keys()])))
  const vectorOf = createVectorizer(vocabulary)
  const contentOf = createContentFilter(vocabulary)
  const matchInterest = interestMatcher(interest)
  const prepare = (paper: ScoredText, text: TokenizedText): Paper => {
    const { score, keywordScore } = matchInterest(paper, text)
    return { text, vector: vectorOf(text), keywordMatch: keywordScore, absoluteMatch: score }
  }
  const voted: Voted[] = judged.map((paper, at) => ({
    ...paper,
    ...prepare(paper, tokenized[at]!),
    isLiked: paper.vote !== 'downvote',
    weight: voteWeights[paper.vote === 'downvote' ? paper.downvote_reason ?? 'not_relevant' : paper.vote]
  }))
  const unrated = background.map(paper => prepare(paper, tokenizeText(paper)))
  const interestModel = fitInterest(interest, { corpus, papers: [...unrated, ...voted], features: vocabulary.features.length })
  const learner = new Learner(interestModel, unrated, vocabulary.features.length)
  const fitted = learner.fit(voted)
  const lessonsSource = { vocabulary, weights: fitted.weights, judged: voted }
  const reasons = reasonFeatures(voted, vocabulary)
  return {
    version: 2,
    vocabulary,
    interest: interestModel,
    weights: nonZero(fitted.weights),
    weightsMean: fitted.mean,
    shares: fitted.shares,
    calibration: calibrate(learner.outcomes(voted, fitted)),
    votes: { liked: voted.filter(({ isLiked }) => isLiked).length, disliked: voted.filter(({ isLiked }) => !isLiked).length },
    lessons: extractLessons({ ...lessonsSource, reasons: new Set(reasons) }),
    reasons,
    liked: voted.filter(({ isLiked }) => isLiked).sort((a, b) => Number(b.vote === 'star') - Number(a.vote === 'star')).slice(0, maxLiked)
      .map(({ paper_id, title, vote, vector }) => ({ paper_id, title, starred: vote === 'star', vector: strongest(contentOf(vector)) }))
  }
}

interface Fitted {
  /** By feature, scaled: products with unrated papers have deviation 1. */
  weights: Float64Array
  mean: number
  shares: Model['shares']
}

/** Learns from votes on one feed, whose unrated papers scale everything. */
class Learner {
  readonly #features: number
  readonly #interestModel: InterestModel
  readonly #parts: ReturnType<typeof interestMatchParts>
  readonly #unrated: readonly Paper[]
  readonly #faint: readonly Example[]

  constructor (interestModel: InterestModel, unrated: readonly Paper[], features: number) {
    this.#interestModel = interestModel
    this.#parts = interestMatchParts(interestModel)
    this.#unrated = unrated
    this.#features = features
    const step = Math.max(unrated.length / faintPapers, 1)
    this.#faint = Array.from({ length: Math.floor(unrated.length / step) }, (_, at) => ({
      vector: unrated[Math.floor(at * step)]!.vector,
      wanted: false,
      cost: faintCost
    }))
  }

  fit (votes: readonly Voted[]): Fitted {
    const raw = votes.length === 0 ? new Float64Array(this.#features) : fitSvm(this.#examples(votes), this.#features)
    const scaling = this.#unrated.length < 2 ? votes : this.#unrated
    const { mean, scale } = standardize(scaling.map(({ vector }) => product(raw, vector)))
    return { weights: raw.map(weight => weight * scale), mean: mean * scale, shares: this.#shares(votes) }
  }

  #examples (votes: readonly Voted[]): Example[] {
    const sum = (liked: boolean) => votes.reduce((total, { isLiked, weight }) => total + (isLiked === liked ? weight : 0), 0)
    const totals = { liked: sum(true), disliked: sum(false) }
    const cost = voteCost * votes.length
    if (totals.liked === 0) {
      // Without an upvote, the feed stands for what is wanted.
      const votesCost = (weight: number) => cost * weight / totals.disliked
      return [
        ...votes.map(({ vector, weight }) => ({ vector, wanted: false, cost: votesCost(weight) })),
        ...this.#faint.map(({ vector }) => ({ vector, wanted: true, cost: cost / this.#faint.length }))
      ]
    }
    const costs = { liked: (cost * balance) / (1 + balance) / totals.liked, disliked: cost / (1 + balance) / totals.disliked }
    return [
      ...votes.map(({ vector, isLiked, weight }) => ({ vector, wanted: isLiked, cost: weight * (isLiked ? costs.liked : costs.disliked) })),
      ...this.#faint
    ]
  }

  /** The more upvotes, the less the interest counts. Downvotes alone say little about what is wanted. */
  #shares (votes: readonly Voted[]): Model['shares'] {
    const liked = votes.filter(({ isLiked }) => isLiked).length
    const evidence = liked > 0 ? liked : votes.length / (1 + votes.length)
    const words = Object.keys(this.#interestModel.terms).length
    const prior = Math.min(interestVotes.base + interestVotes.perWord * words, interestVotes.max)
    const interest = prior / (prior + evidence)
    return { interest, keywords: Math.max(interest, minKeywordShare) }
  }

  match ({ text, vector, keywordMatch }: Paper, { weights, mean, shares }: Fitted): number {
    return (1 - shares.interest) * (product(weights, vector) - mean) +
      shares.interest * matchOf(this.#parts(text, vector)) +
      shares.keywords * keywordWeight * keywordMatch
  }

  /** Votes, each with a match that was learned from others, and unrated papers with their absolute match. */
  outcomes (votes: readonly Voted[], fitted: Fitted): Outcome[] {
    const liked = votes.filter(({ isLiked }) => isLiked).length
    // One-sided votes say nothing about the other side.
    const oneSided = liked === 0 ? votes.length : Math.max(2 * liked - votes.length, 0)
    const priorWeight = (priorVotes + oneSided) / this.#unrated.length
    const outcomes: Outcome[] = this.#unrated.map(paper => ({
      match: this.match(paper, fitted),
      target: paper.absoluteMatch,
      weight: priorWeight
    }))
    // A single upvote cannot be held out: nothing would remain to learn from. It is predicted from itself.
    const isOnly = (vote: Voted) => vote.isLiked && liked === 1
    for (const vote of votes) if (isOnly(vote)) outcomes.push({ match: this.match(vote, fitted), target: 1, weight: 1 })
    const validated = votes.slice(0, maxValidated).filter(vote => !isOnly(vote))
    const sides = [validated.filter(({ isLiked }) => isLiked), validated.filter(({ isLiked }) => !isLiked)]
    for (let fold = 0; fold < Math.min(folds, validated.length); fold++) {
      const isHeldOut = new Set(sides.flatMap(side => side.filter((_vote, at) => at % folds === fold)))
      const others = this.fit(votes.filter((vote, at) => (at < maxValidated || isOnly(vote)) && !isHeldOut.has(vote)))
      for (const vote of isHeldOut) {
        outcomes.push({ match: this.match(vote, others), target: vote.isLiked ? 1 : 0, weight: Math.min(vote.weight, 1) })
      }
    }
    return outcomes
  }
}

function reasonFeatures (votes: readonly Voted[], { features }: Vocabulary): number[] {
  const places = new Map(features.map((feature, place) => [feature, place]))
  const papers = new Map<number, number>()
  for (const { text, vector } of votes) {
    for (const place of vector.places) papers.set(place, (papers.get(place) ?? 0) + 1)
    for (const feature of countFeatures({ title: text.title, abstract: [], numbers: 0 }).keys()) {
      const place = places.get(feature)
      if (place !== undefined) papers.set(place, (papers.get(place) ?? 0) + 1)
    }
  }
  return [...papers].filter(([, count]) => count >= 2).sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, maxReasonFeatures).map(([place]) => place).sort((a, b) => a - b)
}

function nonZero (weights: Float64Array): Vector {
  const places = [...weights.keys()].filter(place => Math.abs(weights[place]!) > 1e-4)
  return { places, values: places.map(place => rounded(weights[place]!)) }
}

/** A vector of the strongest features only. */
function strongest ({ places, values }: Vector): Vector {
  const kept = [...places.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, maxLikedFeatures).sort((a, b) => a - b)
  return { places: kept.map(at => places[at]!), values: kept.map(at => rounded(values[at]!)) }
}
