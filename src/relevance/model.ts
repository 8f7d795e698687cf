import { type Corpus, rounded } from './corpus.js'
import { product, type Vector, vectoriser, type Vocabulary } from './features.js'
import type { Interest, ScoredText } from './interest.js'
import { type Lessons, lessonsOf } from './lessons.js'
import { type Example, fit } from './logistic.js'
import { readText } from './terms.js'

/** A paper with its vote. */
export interface Judged extends ScoredText {
  paper_id: string
  vote: 'upvote' | 'downvote' | 'star'
  downvote_reason: 'not_relevant' | 'low_quality' | null
}

/** A liked paper, for saying which one another is like. */
export interface Liked { paper_id: string, title: string, starred: boolean, vector: Vector }

/** What was learned from votes: plain data, half a megabyte at most, good for every process. */
export interface Model {
  version: 1
  vocabulary: Vocabulary
  /** By the feature's place. */
  weights: number[]
  /** What an unwanted and a wanted paper come to on average: the scale of the scores. */
  unwanted: number
  wanted: number
  votes: { liked: number, disliked: number }
  /** For people; undefined where an earlier version of the program learned. */
  lessons?: Lessons
  liked: Liked[]
}

/** A star says it louder; low quality says little about the subject. */
const voteWeights = { star: 2, upvote: 1, not_relevant: 1, low_quality: 0.25 }
/** All unrated papers together count as so many votes against: most of what is in a feed is not what is looked for. */
const backgroundWeight = 10
const mostLiked = 50
const likedFeatures = 40

export interface Learning {
  interest: Interest
  corpus: Corpus
  judged: readonly Judged[]
  /** Unrated papers of the feed. */
  background: readonly ScoredText[]
}

/** Learns from votes. Without a liked paper, the interest's own words stand for one. */
export function train ({ interest, corpus, judged, background }: Learning): Model {
  const vocabulary = corpus.vocabulary()
  const vector = vectoriser(vocabulary)
  const vectorOf = (text: ScoredText) => vector(readText(text))
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
    lessons: lessonsOf({ vocabulary, weights, judged: voted }),
    liked: voted.filter(({ isLiked }) => isLiked).sort((a, b) => Number(b.vote === 'star') - Number(a.vote === 'star')).slice(0, mostLiked)
      .map(({ paper_id, title, vote, vector }) => ({ paper_id, title, starred: vote === 'star', vector: strongest(vector) }))
  }
}

/** The features that a text has most of. */
function strongest ({ places, values }: Vector): Vector {
  const kept = [...places.keys()].sort((a, b) => values[b]! - values[a]!).slice(0, likedFeatures).sort((a, b) => a - b)
  return { places: kept.map(at => places[at]!), values: kept.map(at => rounded(values[at]!)) }
}
