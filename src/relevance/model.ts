import { type Corpus, rounded } from './corpus.js'
import { product, type Vector, createVectorizer, type Vocabulary } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { type Lessons, extractLessons } from './lessons.js'
import { type Example, fit } from './logistic.js'
import { tokenizeText } from './terms.js'

/** A paper with its vote. */
export interface Judged extends ScoredText {
  paper_id: string
  vote: 'upvote' | 'downvote' | 'star'
  downvote_reason: 'not_relevant' | 'low_quality' | null
}

/** A liked paper, to be named as similar to others. */
export interface Liked { paper_id: string, title: string, starred: boolean, vector: Vector }

/** What was learned from votes: plain data, stored as JSON, half a megabyte at most. */
export interface Model {
  version: 1
  vocabulary: Vocabulary
  /** By feature index. */
  weights: number[]
  /** Mean dot products of unwanted and wanted papers, which scale the scores. */
  unwanted: number
  wanted: number
  votes: { liked: number, disliked: number }
  /** For people; missing in models of earlier versions. */
  lessons?: Lessons
  liked: Liked[]
}

/** Low quality says little about the subject. */
const voteWeights = { star: 2, upvote: 1, not_relevant: 1, low_quality: 0.25 }
/** All unrated papers together count as this many downvotes, since most papers of a feed are not wanted. */
const backgroundWeight = 10
const maxLiked = 50
const maxLikedFeatures = 40

/** What a model is learned from. */
export interface Learning {
  interest: Interest
  corpus: Corpus
  judged: readonly Judged[]
  /** Unrated papers of the feed. */
  background: readonly ScoredText[]
}

/** Learns a model from votes. Without a liked paper, the interest and keywords stand in for one. */
export function train ({ interest, corpus, judged, background }: Learning): Model {
  const vocabulary = corpus.vocabulary()
  const vector = createVectorizer(vocabulary)
  const vectorOf = (text: ScoredText) => vector(tokenizeText(text))
  const voted = judged.map(paper => ({ ...paper, vector: vectorOf(paper), isLiked: paper.vote !== 'downvote' }))
  const examples: Example[] = [
    ...voted.map(({ vector, isLiked, vote, downvote_reason }) => ({ vector, wanted: isLiked, weight: voteWeights[vote === 'downvote' ? downvote_reason ?? 'not_relevant' : vote] })),
    ...background.map(paper => ({ vector: vectorOf(paper), wanted: false, weight: backgroundWeight / background.length }))
  ]
  if (!examples.some(({ wanted }) => wanted)) examples.push({ vector: vectorOf({ title: interest.positive_keywords.join(' '), abstract: interest.interest_description }), wanted: true, weight: 1 })

  const { weights } = fit(examples, vocabulary.features.length)
  const mean = (side: boolean) => {
    const ofSide = examples.filter(({ wanted }) => wanted === side)
    return ofSide.reduce((sum, { vector, weight }) => sum + weight * product(weights, vector), 0) / (ofSide.reduce((sum, { weight }) => sum + weight, 0) || 1)
  }
  return {
    version: 1,
    vocabulary,
    weights: [...weights].map(rounded),
    unwanted: mean(false),
    wanted: mean(true),
    votes: { liked: voted.filter(({ isLiked }) => isLiked).length, disliked: voted.filter(({ isLiked }) => !isLiked).length },
    lessons: extractLessons({ vocabulary, weights, judged: voted }),
    liked: voted.filter(({ isLiked }) => isLiked).sort((a, b) => Number(b.vote === 'star') - Number(a.vote === 'star')).slice(0, maxLiked)
      .map(({ paper_id, title, vote, vector }) => ({ paper_id, title, starred: vote === 'star', vector: strongest(vector) }))
  }
}

/** A vector of the strongest features only. */
function strongest ({ places, values }: Vector): Vector {
  const kept = [...places.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, maxLikedFeatures).sort((a, b) => a - b)
  return { places: kept.map(at => places[at]!), values: kept.map(at => rounded(values[at]!)) }
}
