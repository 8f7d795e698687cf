import type { MatchingDetails, Reason, Relevance } from '../../schemas/relevance.js'
import { product, similarity, vectoriser, wordingOf } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { interestMatcher } from './interest-match.js'
import { logistic } from './logistic.js'
import type { Model } from './model.js'
import { note } from './note.js'
import { type ReadText, readText } from './terms.js'

const mostReasons = 8
/** So many votes say as much as the interest does. */
const votesOfInterest = 0.5
/** How much of the scale lies between the average unwanted and the average wanted paper: they come to 0.12 and 0.88. */
const spread = 4
/** Papers less alike than this have no more in common than a field's papers have. */
const leastSimilarity = 0.15

/**
 * Makes the scorer of one project. Without votes a score is how a paper matches interest and keywords; with votes it goes over to what
 * they have taught. An excluded keyword makes it 0.
 */
export function scorer (interest: Interest, model: Model | null = null): (paper: ScoredText) => Relevance {
  const matchOf = interestMatcher(interest)
  const learned = model === null ? null : learnedScorer(model)
  return paper => {
    const read = readText(paper)
    const match = matchOf(paper, read)
    const excluded = match.negative_keywords.length > 0
    const lesson = learned?.(read, paper.title) ?? null
    const share = model === null ? 0 : voteCount(model) / (voteCount(model) + votesOfInterest)
    const score = excluded ? 0 : rounded(blend(match.score, lesson?.score ?? 0, share, model))
    const reasons: Reason[] = [
      ...match.terms.map(({ term, weight }) => ({ term, weight: rounded((1 - share) * match.score * weight / sum(match.terms)), from: 'interest' as const })),
      ...(lesson?.reasons ?? []).map(({ term, weight }) => ({ term, weight: rounded(share * weight), from: 'feedback' as const }))
    ].filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, mostReasons)
    const matching_details: MatchingDetails = {
      terms: reasons,
      positive_keywords: match.positive_keywords,
      negative_keywords: match.negative_keywords,
      liked_paper: lesson?.liked_paper ?? null,
      learned_from: model?.votes ?? { liked: 0, disliked: 0 },
      excluded
    }
    return {
      relevance_score: score,
      relevance_class: score >= interest.must_read_threshold && !excluded ? 'must_read' : 'related',
      matching_details,
      personalized_note: note(matching_details)
    }
  }
}

/** Dislikes alone tell what is not wanted: they lower a score and never raise it. */
const blend = (match: number, lesson: number, share: number, model: Model | null) =>
  model?.votes.liked === 0 ? match * (1 - share + share * lesson) : (1 - share) * match + share * lesson

interface Lesson { score: number, reasons: Array<{ term: string, weight: number }>, liked_paper: MatchingDetails['liked_paper'] }

function learnedScorer (model: Model): (paper: ReadText, title: string) => Lesson {
  const { vocabulary, weights, wanted, unwanted, liked } = model
  const vectorOf = vectoriser(vocabulary)
  const scale = spread / (Math.max(wanted - unwanted, 1e-6))
  const middle = (wanted + unwanted) / 2
  return (paper, ownTitle) => {
    const vector = vectorOf(paper)
    const score = logistic(scale * (product(weights, vector) - middle))
    // The slope of the scale where the paper stands: what a little more of a word would change.
    const slope = scale * score * (1 - score)
    const strongest = vector.places.map((place, at) => ({ place, weight: slope * weights[place]! * vector.values[at]! }))
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, 2 * mostReasons)
    const byTerm = new Map<string, number>()
    for (const { place, weight } of strongest) {
      const term = wordingOf(vocabulary.features[place]!, paper)
      byTerm.set(term, (byTerm.get(term) ?? 0) + weight)
    }
    return { score, reasons: [...byTerm].map(([term, weight]) => ({ term, weight })), liked_paper: mostAlike(vector, liked.filter(({ title }) => title !== ownTitle)) }
  }
}

function mostAlike (vector: ReturnType<ReturnType<typeof vectoriser>>, liked: Model['liked']): MatchingDetails['liked_paper'] {
  let best: MatchingDetails['liked_paper'] = null
  for (const { paper_id, title, starred, vector: other } of liked) {
    const alike = rounded(Math.min(similarity(vector, other), 1))
    if (alike >= leastSimilarity && alike > (best?.similarity ?? 0)) best = { paper_id, title, similarity: alike, starred }
  }
  return best
}

const voteCount = ({ votes: { liked, disliked } }: Model) => liked + disliked
const sum = (terms: Array<{ weight: number }>) => terms.reduce((total, { weight }) => total + weight, 0) || 1
const rounded = (value: number) => Math.round(value * 1000) / 1000
