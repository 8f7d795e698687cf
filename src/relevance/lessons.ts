import { type Vector, type Vocabulary, wordFeature } from './features.js'
import type { ScoredText } from './interest.js'
import { tokenizeText } from './terms.js'

/** A word or phrase that votes made count, with its weight relative to the strongest, 0 to 1. */
export interface Lesson { term: string, weight: number }

/** What votes taught, for people: words of liked papers that raise a score, and words of disliked papers that lower it. */
export interface Lessons { wanted: Lesson[], unwanted: Lesson[] }

const maxLessons = 12

interface Learned {
  vocabulary: Vocabulary
  /** By feature index. */
  weights: ArrayLike<number>
  judged: ReadonlyArray<ScoredText & { vector: Vector, isLiked: boolean }>
}

/** Picks the strongest words of liked and of disliked papers, in the wording of such a paper, without repetitions. */
export function extractLessons ({ vocabulary, weights, judged }: Learned): Lessons {
  const side = (liked: boolean) => strongest(vocabulary, weights, judged.filter(({ isLiked }) => isLiked === liked), liked ? 1 : -1)
  const [wanted, unwanted] = [side(true), side(false)]
  const most = Math.max(...[...wanted, ...unwanted].map(({ weight }) => weight), Number.MIN_VALUE)
  const scaled = (lessons: Lesson[]) => lessons.map(({ term, weight }) => ({ term, weight: Math.round(1000 * weight / most) / 1000 })).filter(({ weight }) => weight > 0)
  return { wanted: scaled(wanted), unwanted: scaled(unwanted) }
}

function strongest ({ features }: Vocabulary, weights: ArrayLike<number>, texts: Learned['judged'], sign: 1 | -1): Lesson[] {
  const found = new Map<number, { weight: number, text: ScoredText }>()
  for (const text of texts) {
    for (const [at, place] of text.vector.places.entries()) {
      // The mean contribution over the papers of a side: a word that all of them have outweighs a strong word of one.
      const weight = sign * weights[place]! * text.vector.values[at]! / texts.length
      if (weight > 0) found.set(place, { weight: weight + (found.get(place)?.weight ?? 0), text: found.get(place)?.text ?? text })
    }
  }
  const lessons: Lesson[] = []
  for (const [place, { weight, text }] of [...found].sort(([, a], [, b]) => b.weight - a.weight)) {
    const term = wordFeature(features[place]!, tokenizeText(text))
    if (!lessons.some(lesson => shareWords(lesson.term, term))) lessons.push({ term, weight })
    if (lessons.length === maxLessons) break
  }
  return lessons
}

const shareWords = (one: string, other: string) => other.split(' ').some(word => one.split(' ').includes(word))
