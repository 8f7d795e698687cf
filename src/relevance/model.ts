import { calibrate, type Calibration } from './calibration.js'
import { citationStrength, fitCitationWeight } from './citation-weight.js'
import type { Corpus } from './corpus.js'
import { countFeatures, createComparison, createContentFilter, type Vector, createVectorizer, type Vocabulary } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { interestMatcher } from './interest-match.js'
import { fitInterest, interestKey, type InterestModel } from './interest-model.js'
import { type Lessons, extractLessons } from './lessons.js'
import { nearDownvotedPenalty } from './near-downvoted.js'
import { measureReliability, type Reliability } from './reliability.js'
import { toSignificantDigits } from './statistics.js'
import { type TokenizedText, tokenizeText } from './terms.js'
import { createAgreement, type FormerInterest } from './vote-agreement.js'
import { minUnrated, type Shares, type TrainingPaper, VoteLearner, type VotedPaper, emptyPaper } from './vote-learner.js'

/** A paper with its vote. */
export interface RatedText extends ScoredText {
  paper_id: string
  vote: 'upvote' | 'downvote' | 'star'
  downvote_reason: 'not_relevant' | 'low_quality' | null
  /** Whether it is a seed paper: its owner brought it along, as in an imported library, and did not rate it in the feed. */
  isSeed?: boolean
  /** Index of the interest that it was given under, if that has changed since. */
  former?: number | null
}

/** A liked paper, to be named as similar to others. */
export interface Liked { paper_id: string, title: string, starred: boolean, vector: Vector }

/** A downvoted paper, with the title by which its own note is told from those of papers like it. Older models lack titles. */
export interface Disliked extends Vector { title?: string }

/** Everything learned from a feed and its votes: plain data, stored as JSON, at most about a megabyte. */
export interface Model {
  version: 7
  vocabulary: Vocabulary
  interest: InterestModel
  /** Weights learned from votes, by feature. Their products with the feed's papers have mean `weightsMean` and a deviation of 1 to 1.5. */
  weights: Vector
  weightsMean: number
  /** Shares in a match, of the interest and of keywords. The votes have the rest of the former. */
  shares: Shares
  calibration: Calibration
  votes: { liked: number, disliked: number }
  /** Log-odds that citations of full strength add; absent where the votes say nothing about them. */
  citationWeight?: number
  /** For people. */
  lessons: Lessons
  /** Features that are named as reasons: those that rated papers share or name in their titles. */
  reasons: number[]
  liked: Liked[]
  /** How well scores predict votes; null with few votes, absent in older models. */
  reliability?: Reliability | null
  /** Papers that were downvoted for their subject, if nothing was upvoted: papers nearly like them fall. Absent in older models. */
  disliked?: Disliked[]
}

/** Low quality says little about the subject. */
const voteWeights = { star: 2, upvote: 1, not_relevant: 1, low_quality: 0.25 }
const maxLiked = 50
const maxLikedFeatures = 40
const maxReasonFeatures = 5000
/** Votes that agree less with a changed interest are left out. */
const minTrust = 0.01

/** Training data of a model. */
export interface Learning {
  interest: Interest
  corpus: Corpus
  /** Papers with votes, newest first. */
  rated: readonly RatedText[]
  /** Unrated papers of the feed. */
  background: readonly ScoredText[]
  /** Earlier interests that votes refer to. */
  former?: readonly FormerInterest[]
}

type Voted = RatedText & VotedPaper

/** Learns a model from a feed and its votes, if there are any. */
export function train ({ interest, corpus, rated, background, former = [] }: Learning): Model {
  const tokenized = rated.map(tokenizeText)
  const ratedFeatures = new Set<string>()
  for (const text of tokenized) {
    for (const feature of countFeatures(text).keys()) if (corpus.frequency(feature) > 0) ratedFeatures.add(feature)
  }
  const vocabulary = corpus.vocabulary(ratedFeatures)
  const vectorOf = createVectorizer(vocabulary)
  const contentOf = createContentFilter(vocabulary)
  const matchInterest = interestMatcher(interest)
  const prepare = (paper: ScoredText, text: TokenizedText): TrainingPaper => {
    const { score, keywordScore } = matchInterest(paper, text)
    return { text, vector: vectorOf(text), keywordMatch: keywordScore, absoluteMatch: score, penalty: 0 }
  }
  const all: Voted[] = rated.map((paper, at) => ({
    ...paper,
    ...prepare(paper, tokenized[at]!),
    isLiked: paper.vote !== 'downvote',
    isSeed: paper.isSeed === true,
    trust: 1,
    linked: citationStrength(paper.signals?.citations),
    weight: voteWeights[paper.vote === 'downvote' ? paper.downvote_reason ?? 'not_relevant' : paper.vote]
  }))
  const unrated = background.map(paper => ({ ...paper, ...prepare(paper, tokenizeText(paper)) }))
  while (unrated.length < minUnrated) unrated.push({ title: '', abstract: null, ...emptyPaper })
  const features = vocabulary.features.length
  const interestModel = fitInterest(interest, { corpus, papers: [...unrated, ...all], features })
  const trusted = former.length === 0
    ? all
    : weighFormerVotes(all, former, { interest, agreement: createAgreement({ current: interestModel, corpus, features, papers: unrated }) })
  const voted = trusted.filter(({ trust }) => trust >= minTrust)
  const disliked = dislikedVectors(voted, contentOf)
  if (disliked.size > 0) {
    const compare = createComparison([...disliked.values()])
    const places = new Map([...disliked.keys()].map((vote, at) => [vote, at]))
    for (const paper of [...unrated, ...voted]) {
      const similarities = compare(contentOf(paper.vector))
      const own = places.get(paper)
      if (own !== undefined) similarities[own] = 0
      paper.penalty = nearDownvotedPenalty(similarities)
    }
  }
  const learner = new VoteLearner(interestModel, unrated, {
    features,
    information: interestModel.information,
    scaling: background.length < minUnrated ? [...unrated, ...voted] : unrated,
    sampling: Math.max((corpus.documents - rated.length) / unrated.length, 1)
  })
  const fitted = learner.fit(voted)
  const predictions = learner.predictVotes(voted, fitted)
  const shares = learner.shares(voted, predictions)
  const inSequence = learner.predictInSequence(voted)
  const outcomes = learner.outcomes({ predictions, inSequence }, { fitted, shares })
  const lessonsSource = { vocabulary, weights: fitted.weights, rated: voted }
  const reasons = reasonFeatures(voted, vocabulary)
  const calibration = calibrate([...outcomes.unrated, ...outcomes.votes, ...outcomes.inSequence])
  const linked = voted.some(vote => vote.linked > 0)
  return {
    version: 7,
    vocabulary,
    interest: interestModel,
    weights: nonZero(fitted.weights),
    weightsMean: fitted.mean,
    shares,
    calibration,
    ...(linked ? { citationWeight: fitCitationWeight(learner.linkedOutcomes(predictions, { shares, calibration })) } : {}),
    reliability: measureReliability(outcomes),
    votes: { liked: voted.filter(({ isLiked }) => isLiked).length, disliked: voted.filter(({ isLiked }) => !isLiked).length },
    lessons: extractLessons({ ...lessonsSource, reasons: new Set(reasons) }),
    reasons,
    liked: voted.filter(({ isLiked }) => isLiked).sort((a, b) => Number(b.vote === 'star') - Number(a.vote === 'star')).slice(0, maxLiked)
      .map(({ paper_id, title, vote, vector }) => ({ paper_id, title, starred: vote === 'star', vector: strongest(contentOf(vector)) })),
    disliked: [...disliked.values()]
  }
}

/** Papers that were downvoted for their subject, if nothing was upvoted, with what their text is about. */
function dislikedVectors (votes: readonly Voted[], contentOf: (vector: Vector) => Vector): Map<TrainingPaper, Disliked> {
  if (votes.some(({ isLiked }) => isLiked)) return new Map()
  // The less a vote agrees with a changed interest, the less similar to its paper others are.
  return new Map(votes.filter(({ downvote_reason }) => downvote_reason !== 'low_quality').slice(0, maxLiked)
    .map(vote => [vote, { ...scaled(strongest(contentOf(vote.vector)), vote.trust), title: vote.title }]))
}

/** Weighs votes of earlier interests by their agreement with the present one. */
function weighFormerVotes (
  votes: Voted[],
  former: readonly FormerInterest[],
  { interest, agreement }: { interest: Interest, agreement: ReturnType<typeof createAgreement> }
): Voted[] {
  const agreements = former.map((each, index) => {
    const ofFormer = votes.filter(({ former }) => former === index)
    if (ofFormer.length === 0 || interestKey({ ...interest, ...each }) === interestKey(interest)) return null
    const formerInterest = { ...interest, ...each }
    const matchFormer = interestMatcher(formerInterest)
    return agreement(formerInterest, paper => matchFormer(paper, paper.text).keywordScore, ofFormer)
  })
  return votes.map(vote => {
    const agreementOf = vote.former == null ? null : agreements[vote.former] ?? null
    if (agreementOf === null) return vote
    const trust = agreementOf(vote)
    return { ...vote, trust, weight: trust * vote.weight }
  })
}

function reasonFeatures (votes: readonly Voted[], { features }: Vocabulary): number[] {
  const places = new Map(features.map((feature, place) => [feature, place]))
  const papers = new Map<number, number>()
  for (const { text, vector } of votes) {
    for (const place of vector.places) papers.set(place, (papers.get(place) ?? 0) + 1)
    for (const feature of countFeatures({ title: text.title, abstract: [], names: [], numbers: 0 }).keys()) {
      const place = places.get(feature)
      if (place !== undefined) papers.set(place, (papers.get(place) ?? 0) + 1)
    }
  }
  return [...papers].filter(([, count]) => count >= 2).sort(([a, one], [b, other]) => other - one || a - b)
    .slice(0, maxReasonFeatures).map(([place]) => place).sort((a, b) => a - b)
}

function nonZero (weights: Float64Array): Vector {
  const places = [...weights.keys()].filter(place => Math.abs(weights[place]!) > 1e-3)
  return { places, values: places.map(place => toSignificantDigits(weights[place]!)) }
}

const scaled = ({ places, values }: Vector, factor: number): Vector =>
  ({ places, values: factor === 1 ? values : values.map(value => toSignificantDigits(factor * value)) })

/** A vector of the strongest features only. */
function strongest ({ places, values }: Vector): Vector {
  const kept = [...places.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, maxLikedFeatures).sort((a, b) => a - b)
  return { places: kept.map(at => places[at]!), values: kept.map(at => toSignificantDigits(values[at]!)) }
}
