import { type Calibration, type Outcome, priorRate } from './calibration.js'
import type { LinkedOutcome } from './citation-weight.js'
import { addTo, product, type Vector } from './features.js'
import { type InterestModel, interestMatchParts, keywordWeight, matchOf, type MatchedPaper, standardize } from './interest-model.js'
import { type Example, fitSvm } from './svm.js'
import { folds, validatedVotes } from './validated-votes.js'
import { confidenceOf, createCoverage, downvotesAlone, evidenceOf, evidenceOfDownvotes, typicalTrust } from './vote-evidence.js'

/** Cost of errors per vote, and the cost of all upvotes relative to all downvotes. @see ASReview, models.py, ELAS u4 */
const voteCost = 0.11
const balance = 9.8
/** Number of best matches of the interest that serve as positive examples without upvotes. */
const maxBestMatches = 100
/** Share of the features that go with high matches in the feed, relative to those of the votes. @see Rocchio 1971 */
const expansionShare = 0.35
/** With fewer unrated papers, empty papers are added as background. */
export const minUnrated = 20
/** Weight, in votes, of the absolute match with interest and keywords in the scores. */
const priorVotes = 5
/** Added to the weight of unrated papers without a match, as far as the interest counts: most papers on other subjects have none. */
const unmatchedWeight = 2
/** The interest counts as much as this many upvotes for each nat that its words say about the feed, and always a little. */
const interestVotes = { perNat: 0.15, withoutWords: 0.25, min: 0.35, max: 4 }
/** The newest votes, in steps, are also predicted from older ones alone, as the papers shown next will be. At most this share of votes. */
const sequential = { steps: 5, votes: 10, maxShare: 0.5, weight: 3 }
/** Keywords are the reader's own words and never lose all influence. */
const minKeywordShare = 0.2

/** A paper of the feed. */
export interface TrainingPaper extends MatchedPaper {
  /** Its match before anything is learned, 0 to 1. */
  absoluteMatch: number
  /** The deviations by which it falls for its likeness to other papers that were downvoted. */
  penalty: number
}

/** A paper with a vote. */
export interface VotedPaper extends TrainingPaper {
  isLiked: boolean
  /** Whether its owner brought it along, and did not rate it in the feed. */
  isSeed: boolean
  /** Agreement with the present interest, 0 to 1; 1 unless that has changed. */
  trust: number
  /** Strength of its citation links to other liked papers, 0 to 1. */
  linked: number
  /** 1 for an upvote of full trust. */
  weight: number
}

/** Shares in a match, of the interest and of keywords. The votes have the rest of the former. */
export interface Shares { interest: number, keywords: number }

/** A paper without words. */
export const emptyPaper: TrainingPaper = {
  text: { title: [], abstract: [], names: [], numbers: 0 },
  vector: { places: [], values: [] },
  keywordMatch: 0,
  absoluteMatch: 0,
  penalty: 0
}

/** Weights by feature, and the mean of their products with unrated papers. */
interface Weights { weights: Float64Array, mean: number }

/** Weights learned from votes; `own` excludes co-occurring words of the feed. */
interface Fitted extends Weights { own: Weights }

/** A vote, and how well its paper matches what other votes taught; `ownMatch` without the words that go with it in the feed. */
interface Prediction { vote: VotedPaper, match: number, ownMatch: number }

/** The outcomes with which scores are calibrated. */
export interface Outcomes {
  unrated: Outcome[]
  votes: Array<Outcome & { vote: VotedPaper }>
  /** The newest votes again, predicted from older ones. */
  inSequence: Array<Outcome & { vote: VotedPaper }>
}

interface Feed {
  /** The size of the vocabulary. */
  features: number
  /** The information of the interest's words about it, in nats. */
  information: number
  /** The papers whose products have deviation 1. */
  scaling: readonly TrainingPaper[]
  /** How many papers without a vote it has for each of the unrated ones given, 1 at least. */
  sampling: number
}

/** Learns from votes on one feed, whose unrated papers scale everything. */
export class VoteLearner {
  readonly #features: number
  readonly #information: number
  readonly #scaling: readonly TrainingPaper[]
  readonly #sampling: number
  readonly #interestModel: InterestModel
  readonly #parts: ReturnType<typeof interestMatchParts>
  readonly #unrated: readonly TrainingPaper[]
  #bestMatches: readonly TrainingPaper[] | undefined

  constructor (interestModel: InterestModel, unrated: readonly TrainingPaper[], { features, information, scaling, sampling }: Feed) {
    this.#interestModel = interestModel
    this.#parts = interestMatchParts(interestModel)
    this.#unrated = unrated
    this.#features = features
    this.#information = information
    this.#scaling = scaling
    this.#sampling = sampling
  }

  /** Learns from votes, then from the unrated papers that match what was learned well or badly: they share words that no vote has. */
  fit (votes: readonly VotedPaper[]): Fitted {
    if (votes.length === 0) {
      const none = { weights: new Float64Array(this.#features), mean: 0 }
      return { ...none, own: none }
    }
    const own = this.#standardized(fitSvm(this.#examples(votes), this.#features), votes)
    const expansion = new Float64Array(this.#features)
    for (const { vector } of this.#scaling) addTo(expansion, vector, matchOfVotes(own, vector))
    const expanded = this.#standardized(expansion, votes)
    return {
      weights: own.weights.map((weight, place) => weight + expansionShare * expanded.weights[place]!),
      mean: own.mean + expansionShare * expanded.mean,
      own
    }
  }

  /** Where the feed shares no feature with the votes, all of its products are equal, and those of the votes scale. */
  #standardized (raw: Float64Array, votes: readonly VotedPaper[]): Weights {
    const standardizeOver = (papers: readonly TrainingPaper[]) => standardize(papers.map(({ vector }) => product(raw, vector)))
    const ofFeed = standardizeOver(this.#scaling)
    const { mean, scale } = ofFeed.scale > 0 ? ofFeed : standardizeOver([...new Set([...this.#scaling, ...votes])])
    return { weights: raw.map(weight => weight * scale), mean: mean * scale }
  }

  #examples (votes: readonly VotedPaper[]): Example[] {
    const liked = votes.filter(({ isLiked }) => isLiked)
    const disliked = votes.filter(({ isLiked }) => !isLiked)
    const totalWeight = (side: readonly VotedPaper[]) => side.reduce((total, { weight }) => total + weight, 0)
    const totals = { liked: totalWeight(liked), disliked: totalWeight(disliked) }
    const cost = voteCost * votes.reduce((sum, { trust }) => sum + trust, 0)
    if (totals.liked === 0) {
      const wanted = this.#bestMatches ??= this.#findBestMatches()
      return [
        ...votes.map(({ vector, weight }) => ({ vector, isPositive: false, cost: cost * weight / totals.disliked })),
        ...wanted.map(({ vector }) => ({ vector, isPositive: true, cost: cost / wanted.length }))
      ]
    }
    // Divided by the weight of its side alone, a side of distrusted votes would count as one of trusted votes.
    const costs = {
      liked: typicalTrust(liked) * cost * balance / (1 + balance) / totals.liked,
      disliked: typicalTrust(disliked) * cost / (1 + balance) / totals.disliked
    }
    return votes.map(({ vector, isLiked, weight }) => ({
      vector,
      isPositive: isLiked,
      cost: weight * (isLiked ? costs.liked : costs.disliked)
    }))
  }

  /** Other papers would teach that what downvoted papers share with the interest is unwanted. */
  #findBestMatches (): TrainingPaper[] {
    return this.#unrated.map(paper => ({ paper, match: this.#interestMatch(paper) + keywordWeight * paper.keywordMatch }))
      .sort((a, b) => b.match - a.match).slice(0, maxBestMatches).map(({ paper }) => paper)
  }

  #interestMatch ({ text, vector }: TrainingPaper): number {
    return matchOf(this.#parts(text, vector))
  }

  /** Predicts the newest votes, each from others. */
  predictVotes (votes: readonly VotedPaper[], fitted: Fitted): Prediction[] {
    const liked = votes.filter(({ isLiked }) => isLiked)
    // A single upvote cannot be held out: nothing would remain to learn from. It is predicted from itself.
    const isOnly = (vote: VotedPaper) => vote.isLiked && liked.length === 1
    const predictions = votes.filter(isOnly).map(vote => predict(vote, fitted))
    const chosen = new Set(validatedVotes(votes))
    const validated = [...chosen].filter(vote => !isOnly(vote))
    const sides = [validated.filter(({ isLiked }) => isLiked), validated.filter(({ isLiked }) => !isLiked)]
    for (let fold = 0; fold < Math.min(folds, validated.length); fold++) {
      const isHeldOut = new Set(sides.flatMap(side => side.filter((_vote, at) => at % folds === fold)))
      const others = this.fit(votes.filter(vote => (chosen.has(vote) || isOnly(vote)) && !isHeldOut.has(vote)))
      for (const vote of isHeldOut) predictions.push(predict(vote, others))
    }
    return predictions
  }

  /**
   * Predicts the newest votes from older ones alone. The papers that a model ranks first are those that it overrates most, and only such
   * predictions show by how much. @param votes newest first
   */
  predictInSequence (votes: readonly VotedPaper[]): Prediction[] {
    const predictions: Prediction[] = []
    for (let step = 1; step <= sequential.steps && step * sequential.votes <= sequential.maxShare * votes.length; step++) {
      const older = votes.slice(step * sequential.votes)
      if (!older.some(({ isLiked }) => isLiked)) break
      const learned = this.fit(older)
      predictions.push(...votes.slice((step - 1) * sequential.votes, step * sequential.votes).map(vote => predict(vote, learned)))
    }
    return predictions
  }

  /** The more upvotes, and the better votes predict each other, the less the interest counts. One that says more keeps more. */
  shares (votes: readonly VotedPaper[], predictions: readonly Prediction[]): Shares {
    const words = Object.keys(this.#interestModel.terms).length
    const disliked = votes.reduce((sum, { isLiked, weight }) => sum + (isLiked ? 0 : weight), 0)
    const coverageOf = createCoverage(this.#unrated, this.#features)
    const covered = votes.map(vote => ({ ...vote, coverage: coverageOf(vote.vector) }))
    const evidence = votes.some(({ isLiked }) => isLiked)
      ? evidenceOf(covered, { confidence: confidenceOf(predictions), disliked, words })
      : (downvotesAlone.max * disliked) / (downvotesAlone.halfAt + disliked)
    const least = words === 0 ? interestVotes.withoutWords : interestVotes.min
    const prior = Math.min(Math.max(interestVotes.perNat * this.#information, least), interestVotes.max)
    const interest = prior / (prior + evidence)
    return { interest, keywords: Math.max(interest, minKeywordShare) }
  }

  /** Votes of the feed with the log-odds that others predict for them, and their citation links. */
  linkedOutcomes (
    predictions: readonly Prediction[],
    { shares, calibration }: { shares: Shares, calibration: Calibration }
  ): LinkedOutcome[] {
    return predictions.filter(({ vote }) => !vote.isSeed).map(({ vote, match: learned }) => ({
      logit: calibration.slope * this.#match(vote, learned, shares) + calibration.intercept,
      linked: vote.linked,
      target: vote.isLiked ? 1 : 0,
      weight: Math.min(vote.weight, 1)
    }))
  }

  #match (paper: TrainingPaper, learned: number, { interest, keywords }: Shares): number {
    return (1 - interest) * learned + interest * this.#interestMatch(paper) + keywords * keywordWeight * paper.keywordMatch - paper.penalty
  }

  /** Votes with what was learned from others, and unrated papers with their absolute match. */
  outcomes (
    { predictions, inSequence }: { predictions: readonly Prediction[], inSequence: readonly Prediction[] },
    { fitted, shares }: { fitted: Fitted, shares: Shares }
  ): Outcomes {
    const match = (paper: TrainingPaper, learned: number) => this.#match(paper, learned, shares)
    const rated = predictions.filter(({ vote }) => !vote.isSeed)
    const liked = predictions.filter(({ vote }) => vote.isLiked).length
    const ratedLiked = rated.filter(({ vote }) => vote.isLiked).length
    // One-sided votes say nothing about the other side.
    const unopposed = Math.max(2 * ratedLiked - rated.length, 0)
    const priorWeight = (priorVotes + unopposed) / this.#unrated.length
    const meanMatch = this.#unrated.reduce((sum, { absoluteMatch }) => sum + absoluteMatch, 0) / this.#unrated.length
    const expected = (priorVotes + unopposed) * Math.max(meanMatch, priorRate)
    // Nothing like these papers was passed over. As far as votes replace the interest, they stand for the papers that it expects.
    const replacing = (1 - shares.interest) / Math.max(predictions.length, 1)
    const replaced = replacing * (predictions.length - rated.length)
    // Without a feed, there are no scores that votes could raise too far.
    const hasFeed = this.#unrated.some(({ vector }) => vector.places.length > 0)
    const unopposedShare = ({ isSeed, isLiked }: VotedPaper) => isSeed ? 1 : isLiked && hasFeed ? unopposed / ratedLiked : 0
    const weightOf = (vote: VotedPaper) => Math.min(vote.weight, 1, 1 - unopposedShare(vote) * (1 - replacing * expected))
    const outcomeOf = ({ vote, match: learned }: Prediction) =>
      ({ match: match(vote, learned), target: vote.isLiked ? 1 : 0, weight: weightOf(vote), vote })
    const votes = predictions.map(outcomeOf)
    // When a paper was downvoted, others like it were not yet.
    const alone = evidenceOfDownvotes(liked > 0 ? [] : votes.map(({ match, weight, vote }) => ({ match: match + vote.penalty, weight })))
    return {
      unrated: this.#unrated.map(paper => {
        const own = match(paper, matchOfVotes(fitted, paper.vector))
        const isUnmatched = paper.absoluteMatch === 0 && meanMatch > 0
        return {
          match: own,
          target: (1 - replaced) * paper.absoluteMatch,
          weight: priorWeight * (isUnmatched ? 1 + unmatchedWeight * shares.interest : 1) + this.#sampling * alone.passedOver(own)
        }
      }),
      votes: liked > 0 ? votes : votes.map(outcome => ({ ...outcome, weight: alone.weight * outcome.weight })),
      inSequence: inSequence.map(prediction => {
        const outcome = outcomeOf(prediction)
        return { ...outcome, weight: sequential.weight * outcome.weight }
      })
    }
  }
}

const matchOfVotes = ({ weights, mean }: Weights, vector: Vector) => product(weights, vector) - mean

const predict = (vote: VotedPaper, learned: Fitted): Prediction =>
  ({ vote, match: matchOfVotes(learned, vote.vector), ownMatch: matchOfVotes(learned.own, vote.vector) })
