import { citationStrength, priorCitationWeight } from './citation-weight.js'
import type { Contributions, MatchingDetails, Reason, Relevance, Signals } from '../../schemas/relevance.js'
import { logistic, logit } from './calibration.js'
import { exclusionFinder } from './exclusions.js'
import { explain } from './explanation.js'
import { commonIn, createComparison, createContentFilter, createVectorizer, isVague, type Vector, wordFeatureAt } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { type InterestMatch, interestMatcher, maxSideScore } from './interest-match.js'
import { interestKey, interestMatchParts, keywordWeight, matchOf } from './interest-model.js'
import type { Model } from './model.js'
import { nearDownvotedPenalty } from './near-downvoted.js'
import { joinReasons, withoutCommon, withoutParts } from './reasons.js'
import { toDecimals } from './statistics.js'
import { isVagueStem, tokenizeText, type TokenizedText } from './terms.js'

const maxReasons = 8
/** Features of a text that reasons are made from: several may be one reason. */
const maxStrongest = 3 * maxReasons
const maxNegativeReasons = 3
/** Cosine similarity below which two papers share no more than their field. */
const minSimilarity = 0.15
/** Where papers rarely match, the best of them differ by less than a thousandth. */
const scorePrecision = 1e6

/** Contribution of each part to a score, with the terms behind the parts. */
interface Explained { contributions: Contributions, reasons: Reason[] }

/**
 * Creates the scorer of one project. Without a model, the score (0 to 1) is the absolute match with the interest and keywords. With one, it
 * is the probability of an upvote. What the interest excludes lowers it, and excluded keywords make it 0.
 * @param model learned from the project's feed and votes
 */
export function scorer (interest: Interest, model: Model | null = null): (paper: ScoredText) => Relevance {
  const matchInterest = interestMatcher(interest)
  const findExclusions = exclusionFinder(interest.interest_description)
  const likedTitles = new Set(model?.liked.map(({ title }) => title))
  const has = { interest: interest.interest_description.trim() !== '', keywords: interest.positive_keywords.length > 0 }
  const learned = model === null ? null : learnedScorer(model, model.interest.key === interestKey(interest))
  return paper => {
    const text = tokenizeText(paper)
    const match = matchInterest(paper, text)
    const excluded = match.negative_keywords.length > 0
    const added = addedBySignals(paper.signals, model)
    const { score, liked_paper, isOwnDownvote = false, logits } =
      learned?.(text, match, { title: paper.title, added }) ?? scoreWithoutVotes(match, added)
    const found = excluded ? undefined : findExclusions(text, paper.title)
    const kept = score * (found?.keptShare ?? 1)
    const { contributions, reasons } = excluded ? emptyExplanation : inScore(score, { ...logits, terms: joinTerms(logits.terms, text) })
    if (found !== undefined) contributions.exclusions = toDecimals(toDecimals(kept) - toDecimals(score))
    const matching_details: MatchingDetails = {
      terms: reasons,
      contributions,
      positive_keywords: match.positive_keywords,
      negative_keywords: match.negative_keywords,
      liked_paper,
      learned_from: model?.votes ?? { liked: 0, disliked: 0 },
      excluded,
      ...(found === undefined ? {} : { excluded_phrases: found.phrases }),
      ...reasonsIn(paper.signals)
    }
    const isLiked = likedTitles.has(paper.title)
    const relevance_score = excluded ? 0 : Math.round(kept * scorePrecision) / scorePrecision
    return {
      relevance_score,
      relevance_class: relevance_score >= interest.must_read_threshold && !excluded ? 'must_read' : 'related',
      matching_details,
      personalized_note: explain(matching_details, { isLiked, isOwnDownvote, sharesWords: match.terms.length > 0, has })
    }
  }
}

const joinTerms = (terms: readonly Reason[], text: TokenizedText): Reason[] =>
  (['interest', 'feedback'] as const).flatMap(side => joinReasons(withoutParts(terms.filter(({ from }) => from === side)), text))

const emptyExplanation: Explained = { contributions: { base: 0, keywords: 0, interest: 0, votes: 0 }, reasons: [] }

/** A score with its parts on an additive scale. `base` is a score already. */
interface Scored {
  score: number
  liked_paper: MatchingDetails['liked_paper']
  /** Whether the paper falls because it was itself downvoted, and not for another one. */
  isOwnDownvote?: boolean
  logits: { base: number, keywords: number, interest: number, votes: number, terms: Reason[] } & Partial<SignalContributions>
}

/** Log-odds that signals add. */
interface SignalContributions { citations: number, follows: number }

/** Log-odds of a paper that is by or in what the project follows; a name alone may be a namesake's. */
const followWeights = { id: 0.5, name: 0.25 }

/** Undefined without signals, so that other scores are what they were before there were any. */
function addedBySignals ({ citations, follows = [] }: Signals = {}, model: Model | null): SignalContributions | undefined {
  if (citations === undefined && follows.length === 0) return undefined
  return {
    citations: (model?.citationWeight ?? priorCitationWeight) * citationStrength(citations),
    follows: follows.reduce((most, { by }) => Math.max(most, followWeights[by]), 0)
  }
}

function reasonsIn ({ citations, follows }: Signals = {}): Pick<MatchingDetails, 'citations' | 'follows'> {
  if (citations === undefined) return follows === undefined ? {} : { follows }
  const { strength: _, ...reasons } = citations
  return { citations: reasons, ...(follows === undefined ? {} : { follows }) }
}

/** Scales parts so that their sum is the score, to its last digit. */
function inScore (score: number, { base, keywords, interest, votes, terms, citations = 0, follows = 0 }: Scored['logits']): Explained {
  const sum = keywords + interest + votes + citations + follows
  // Where the parts cancel out, the slope of the logistic function.
  const scale = Math.abs(sum) < 1e-6 ? score * (1 - score) : (score - base) / sum
  const contributions: Contributions = {
    base: toDecimals(base),
    keywords: toDecimals(keywords * scale),
    interest: toDecimals(interest * scale),
    votes: toDecimals(votes * scale),
    ...(citations === 0 ? {} : { citations: toDecimals(citations * scale) }),
    ...(follows === 0 ? {} : { follows: toDecimals(follows * scale) })
  }
  const remainder = toDecimals(score) - contributions.base - contributions.keywords - contributions.interest - contributions.votes -
    (contributions.citations ?? 0) - (contributions.follows ?? 0)
  const largest = (['interest', 'votes', 'base'] as const).reduce((a, b) => Math.abs(contributions[b]) > Math.abs(contributions[a]) ? b : a)
  contributions[largest] = toDecimals(contributions[largest] + remainder)
  let negatives = 0
  const reasons = terms
    .map(({ term, weight, from }) => ({ term, weight: toDecimals(weight * scale), from }))
    .filter(({ weight }) => weight !== 0)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
    .filter(({ weight }) => weight > 0 || ++negatives <= maxNegativeReasons).slice(0, maxReasons)
  return { contributions, reasons }
}

/** The match of a paper with the interest and keywords alone. */
function scoreWithoutVotes (match: InterestMatch, added: SignalContributions | undefined): Scored {
  const { keywords, interest } = absoluteParts(match)
  const parts = { base: 0, keywords, interest, votes: 0, terms: interestTerms(match, interest) }
  if (added === undefined) return { score: match.score, liked_paper: null, logits: parts }
  const sum = added.citations + added.follows
  const score = Math.max(match.score, logistic(logit(match.score) + sum))
  // In the scale of the other parts, whose sum is the logarithm of 1 / (1 - score).
  const share = sum === 0 ? 0 : (Math.log(1 - match.score) - Math.log(1 - score)) / sum
  return { score, liked_paper: null, logits: { ...parts, citations: added.citations * share, follows: added.follows * share } }
}

/** Logarithms of the factors of an absolute match. */
function absoluteParts ({ score, keywordScore }: InterestMatch): { keywords: number, interest: number } {
  const keywords = -Math.log(1 - maxSideScore * keywordScore)
  return { keywords, interest: -Math.log(1 - score) - keywords }
}

function interestTerms ({ terms }: InterestMatch, total: number): Reason[] {
  const sum = terms.reduce((sum, { weight }) => sum + weight, 0) || 1
  return withoutVague(terms).map(({ term, weight }) => ({ term, weight: total * weight / sum, from: 'interest' }))
}

/** Words that explain a match; those of any subject only if there are no others. */
function withoutVague <T extends { stem: string }> (terms: readonly T[]): readonly T[] {
  const telling = terms.filter(({ stem }) => !isVagueStem(stem))
  return telling.length === 0 ? terms : telling
}

/** The title of a paper, and what its signals add. */
interface ScoringInput { title: string, added: SignalContributions | undefined }

/** @param isCurrent whether the model was learned with the same interest; else the absolute match counts in its place */
function learnedScorer (model: Model, isCurrent: boolean): (paper: TokenizedText, match: InterestMatch, input: ScoringInput) => Scored {
  const { vocabulary, weights, weightsMean, shares, calibration: { slope, intercept }, liked, disliked = [], reasons } = model
  const vectorOf = createVectorizer(vocabulary)
  const contentOf = createContentFilter(vocabulary)
  const compareLiked = createComparison(liked.map(({ vector }) => vector))
  const compareDisliked = createComparison(disliked)
  const weightOf = new Float64Array(vocabulary.features.length)
  for (const [at, place] of weights.places.entries()) weightOf[place] = weights.values[at]!
  const isNamed = new Uint8Array(vocabulary.features.length)
  for (const place of reasons) isNamed[place] = isVague(vocabulary.features[place]!) ? 0 : 1
  const partsOf = interestMatchParts(model.interest)
  const commonPlaces = commonIn(vocabulary)
  const commonStems = new Set([...model.interest.common, ...[...commonPlaces].map(place => vocabulary.features[place]!)])
  const hasVotes = weights.places.length > 0
  const logitOfMatch = slope * shares.interest

  const byModel = (text: TokenizedText, vector: Vector, match: InterestMatch) => {
    const parts = partsOf(text, vector)
    const numbers = logitOfMatch * parts.numbers
    return {
      base: intercept + numbers,
      keywords: slope * shares.keywords * keywordWeight * match.keywordScore,
      interest: logitOfMatch * matchOf(parts) - numbers,
      terms: withoutVague(withoutCommon(match.terms, ({ stem }) => commonStems.has(stem)))
        .map(({ stem, term }): Reason => ({ term, weight: logitOfMatch * (parts.terms.get(stem) ?? 0), from: 'interest' }))
    }
  }
  const byAbsoluteMatch = (match: InterestMatch) => {
    const { keywords, interest } = absoluteParts(match)
    const change = shares.interest * (logit(match.score) - intercept)
    const scale = keywords + interest === 0 ? 0 : change / (keywords + interest)
    return {
      base: intercept + (scale === 0 ? change : 0),
      keywords: keywords * scale,
      interest: interest * scale,
      terms: interestTerms({ ...match, terms: withoutCommon(match.terms, ({ stem }) => commonStems.has(stem)) }, interest * scale)
    }
  }

  return (text, match, { title, added }) => {
    const vector = vectorOf(text)
    const ofInterest = isCurrent ? byModel(text, vector, match) : byAbsoluteMatch(match)
    const logitOfVotes = hasVotes ? slope * (1 - shares.interest) : 0
    const strongest: Strong[] = []
    let product = 0
    for (let at = 0; at < vector.places.length; at++) {
      const place = vector.places[at]!
      const weight = weightOf[place]! * vector.values[at]!
      product += weight
      if (isNamed[place] === 1 && weight !== 0) addStrong(strongest, at, logitOfVotes * weight)
    }
    const named = withoutCommon(strongest, ({ index }) => commonPlaces.has(vector.places[index]!)).map(({ index, weight }) =>
      ({ term: wordFeatureAt(vocabulary.features[vector.places[index]!]!, vector.firsts[index]!, text), weight }))
    const { base, keywords, interest } = ofInterest
    const content = liked.length + disliked.length === 0 ? vector : contentOf(vector)
    const nearDownvoted = compareDisliked(content)
    const penalty = nearDownvotedPenalty(nearDownvoted)
    const isOwnDownvote = penalty > 0 && disliked.some(each => each.title === title) &&
      nearDownvotedPenalty(nearDownvoted.map((similarity, at) => disliked[at]!.title === title ? 0 : similarity)) === 0
    const votes = logitOfVotes * (product - weightsMean) - slope * penalty
    return {
      score: logistic(base + keywords + interest + votes + (added?.citations ?? 0) + (added?.follows ?? 0)),
      liked_paper: findMostSimilar(compareLiked(content), liked, title),
      isOwnDownvote,
      logits: { base: logistic(base), keywords, interest, votes, terms: [...ofInterest.terms, ...voteTerms(named)], ...added }
    }
  }
}

/** A feature of a text, by its index in the vector, and its weight. */
interface Strong { index: number, weight: number }

/** Adds a weight to the strongest ones, which are in order. Sorting all of them would take longer. */
function addStrong (strongest: Strong[], index: number, weight: number): void {
  const strength = Math.abs(weight)
  let at = strongest.length
  if (at === maxStrongest) {
    if (Math.abs(strongest[at - 1]!.weight) >= strength) return
    at--
  }
  for (; at > 0 && Math.abs(strongest[at - 1]!.weight) < strength; at--) strongest[at] = strongest[at - 1]!
  strongest[at] = { index, weight }
}

/**
 * The strongest features, as the paper words them: a word and the same word of the title are one, and none repeats a word of a stronger
 * one.
 */
function voteTerms (strongest: ReadonlyArray<{ term: string, weight: number }>): Reason[] {
  const byTerm = new Map<string, number>()
  for (const { term, weight } of strongest) byTerm.set(term, (byTerm.get(term) ?? 0) + weight)
  const named = new Set<string>()
  const reasons: Reason[] = []
  for (const [term, weight] of [...byTerm].sort((a, b) => Math.abs(b[1]) - Math.abs(a[1]))) {
    const words = term.split(' ')
    if (words.some(word => named.has(word))) continue
    for (const word of words) named.add(word)
    reasons.push({ term, weight, from: 'feedback' })
  }
  return reasons
}

/** The most similar liked paper, if it is not the paper of this title itself. */
function findMostSimilar (similarities: Float64Array, liked: Model['liked'], title: string): MatchingDetails['liked_paper'] {
  let best: MatchingDetails['liked_paper'] = null
  for (const [at, similarity] of similarities.entries()) {
    const rate = toDecimals(Math.min(similarity, 1))
    if (rate < minSimilarity || rate <= (best?.similarity ?? 0)) continue
    const { paper_id, title: likedTitle, starred } = liked[at]!
    if (likedTitle !== title) best = { paper_id, title: likedTitle, similarity: rate, starred }
  }
  return best
}
