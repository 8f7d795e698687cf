import { commonIn, isVague, type Vector, type Vocabulary, wordFeature } from './features.js'
import type { ScoredText } from './interest.js'
import { withoutCommon } from './reasons.js'
import { tokenizeText } from './terms.js'

/** A word or phrase learned from votes, with its weight relative to the strongest, 0 to 1. */
export interface Lesson { term: string, weight: number }

/** Terms learned from votes: `wanted` terms of liked papers raise scores, `unwanted` terms of disliked papers lower them. */
export interface Lessons { wanted: Lesson[], unwanted: Lesson[] }

const maxLessons = 12

interface Learned {
  vocabulary: Vocabulary
  /** By feature index. */
  weights: ArrayLike<number>
  rated: ReadonlyArray<ScoredText & { vector: Vector, isLiked: boolean }>
  /** Features that can be named. */
  reasons: ReadonlySet<number>
}

/** Picks the strongest terms of liked and of disliked papers, at most 12 each, as those papers write them, without shared words. */
export function extractLessons ({ vocabulary, weights, rated, reasons }: Learned): Lessons {
  const side = (liked: boolean) =>
    strongest({ vocabulary, weights, reasons, rated: rated.filter(({ isLiked }) => isLiked === liked) }, liked ? 1 : -1)
  const [wanted, unwanted] = [side(true), side(false)]
  const maxWeight = Math.max(...[...wanted, ...unwanted].map(({ weight }) => weight), Number.MIN_VALUE)
  const scaled = (lessons: Lesson[]) =>
    lessons.map(({ term, weight }) => ({ term, weight: Math.round(1000 * weight / maxWeight) / 1000 })).filter(({ weight }) => weight > 0)
  return { wanted: scaled(wanted), unwanted: scaled(unwanted) }
}

function strongest ({ vocabulary, weights, rated: texts, reasons }: Learned, sign: 1 | -1): Lesson[] {
  const { features } = vocabulary
  const common = commonIn(vocabulary)
  const weightByPlace = new Map<number, { weight: number, text: ScoredText }>()
  for (const text of texts) {
    for (const [at, place] of text.vector.places.entries()) {
      if (!reasons.has(place) || isVague(features[place]!)) continue
      // Mean contribution per paper, so a word in all papers outweighs a strong word in one.
      const weight = (sign * weights[place]! * text.vector.values[at]!) / texts.length
      if (weight > 0) {
        weightByPlace.set(place, { weight: weight + (weightByPlace.get(place)?.weight ?? 0), text: weightByPlace.get(place)?.text ?? text })
      }
    }
  }
  const lessons: Lesson[] = []
  const named = withoutCommon([...weightByPlace], ([place]) => common.has(place)).sort(([, a], [, b]) => b.weight - a.weight)
  for (const [place, { weight, text }] of named) {
    const term = wordFeature(features[place]!, tokenizeText(text))
    if (!lessons.some(lesson => shareWords(lesson.term, term))) lessons.push({ term, weight })
    if (lessons.length === maxLessons) break
  }
  return lessons
}

const shareWords = (one: string, other: string) => other.split(' ').some(word => one.split(' ').includes(word))
