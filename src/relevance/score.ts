import type { MatchingDetails, Reason, Relevance } from '../../schemas/relevance.js'
import { explain } from './explanation.js'
import { product, similarity, createVectorizer, wordFeature } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { interestMatcher } from './interest-match.js'
import { logistic } from './logistic.js'
import type { Model } from './model.js'
import { type TokenizedText, tokenizeText } from './terms.js'

const maxReasons = 8
/** The interest counts as much as this many votes. */
const interestVotes = 0.5
/** The distance, in logits, between the average unwanted and the average wanted paper, which score 0.12 and 0.88. */
const spread = 4
/** Cosine similarity below which two papers share no more than their field. */
const minSimilarity = 0.15

/**
 * Creates the scorer of one project. Without votes a score, 0 to 1, is how well a paper matches the interest and keywords; the more votes, the
 * more the model decides. Excluded keywords make it 0.
 * @param model learned from the project's votes; null without votes
 */
export function scorer (interest: Interest, model: Model | null = null): (paper: ScoredText) => Relevance {
  const matchOf = interestMatcher(interest)
  const learned = model === null ? null : learnedScorer(model)
  return paper => {
    const text = tokenizeText(paper)
    const match = matchOf(paper, text)
    const excluded = match.negative_keywords.length > 0
    const fromVotes = learned?.(text, paper.title) ?? null
    const share = model === null ? 0 : voteCount(model) / (voteCount(model) + interestVotes)
    const score = excluded ? 0 : rounded(blend(match.score, fromVotes?.score ?? 0, share, model))
    const reasons: Reason[] = [
      ...match.terms.map(({ term, weight }) => ({ term, weight: rounded((1 - share) * match.score * weight / sum(match.terms)), from: 'interest' as const })),
      ...(fromVotes?.reasons ?? []).map(({ term, weight }) => ({ term, weight: rounded(share * weight), from: 'feedback' as const }))
    ].filter(({ weight }) => weight !== 0).sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, maxReasons)
    const matching_details: MatchingDetails = {
      terms: reasons,
      positive_keywords: match.positive_keywords,
      negative_keywords: match.negative_keywords,
      liked_paper: fromVotes?.liked_paper ?? null,
      learned_from: model?.votes ?? { liked: 0, disliked: 0 },
      excluded
    }
    return {
      relevance_score: score,
      relevance_class: score >= interest.must_read_threshold && !excluded ? 'must_read' : 'related',
      matching_details,
      personalized_note: explain(matching_details)
    }
  }
}

/** Downvotes alone say only what is unwanted: they lower a score and never raise it. */
const blend = (match: number, fromVotes: number, share: number, model: Model | null) =>
  model?.votes.liked === 0 ? match * (1 - share + share * fromVotes) : (1 - share) * match + share * fromVotes

interface LearnedScore { score: number, reasons: Array<{ term: string, weight: number }>, liked_paper: MatchingDetails['liked_paper'] }

function learnedScorer (model: Model): (paper: TokenizedText, title: string) => LearnedScore {
  const { vocabulary, weights, wanted, unwanted, liked } = model
  const vectorOf = createVectorizer(vocabulary)
  const scale = spread / (Math.max(wanted - unwanted, 1e-6))
  const middle = (wanted + unwanted) / 2
  return (paper, ownTitle) => {
    const vector = vectorOf(paper)
    const score = logistic(scale * (product(weights, vector) - middle))
    // The derivative of the score: what a little more of a word would change.
    const slope = scale * score * (1 - score)
    const strongest = vector.places.map((place, at) => ({ place, weight: slope * weights[place]! * vector.values[at]! }))
      .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight)).slice(0, 2 * maxReasons)
    const byTerm = new Map<string, number>()
    for (const { place, weight } of strongest) {
      const term = wordFeature(vocabulary.features[place]!, paper)
      byTerm.set(term, (byTerm.get(term) ?? 0) + weight)
    }
    return { score, reasons: [...byTerm].map(([term, weight]) => ({ term, weight })), liked_paper: findMostSimilar(vector, liked.filter(({ title }) => title !== ownTitle)) }
  }
}

function findMostSimilar (vector: ReturnType<ReturnType<typeof createVectorizer>>, liked: Model['liked']): MatchingDetails['liked_paper'] {
  let best: MatchingDetails['liked_paper'] = null
  for (const { paper_id, title, starred, vector: other } of liked) {
    const rate = rounded(Math.min(similarity(vector, other), 1))
    if (rate >= minSimilarity && rate > (best?.similarity ?? 0)) best = { paper_id, title, similarity: rate, starred }
  }
  return best
}

const voteCount = ({ votes: { liked, disliked } }: Model) => liked + disliked
const sum = (terms: Array<{ weight: number }>) => terms.reduce((total, { weight }) => total + weight, 0) || 1
const rounded = (value: number) => Math.round(value * 1000) / 1000
