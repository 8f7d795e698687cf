import { type Vector, type Vocabulary, wordingOf } from './features.js'
import type { ScoredText } from './interest.js'
import { readText } from './terms.js'

/** A word or phrase with how much it says, 1 for the one that says most. */
export interface Lesson { term: string, weight: number }

/** What votes have taught, for people: which words of liked papers now speak for a paper, and which of disliked ones against it. */
export interface Lessons { wanted: Lesson[], unwanted: Lesson[] }

const mostLessons = 12

interface Learned {
  vocabulary: Vocabulary
  /** By the feature's place. */
  weights: ArrayLike<number>
  judged: ReadonlyArray<ScoredText & { vector: Vector, isLiked: boolean }>
}

/** Takes the strongest words of both sides, each in the words of a paper that has it, without those that say the same again. */
export function lessonsOf ({ vocabulary, weights, judged }: Learned): Lessons {
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
      // What a word adds to an average paper of its side: a strong word that one paper has says less than one that all have.
      const weight = sign * weights[place]! * text.vector.values[at]! / texts.length
      if (weight > 0) found.set(place, { weight: weight + (found.get(place)?.weight ?? 0), text: found.get(place)?.text ?? text })
    }
  }
  const lessons: Lesson[] = []
  for (const [place, { weight, text }] of [...found].sort(([, a], [, b]) => b.weight - a.weight)) {
    const term = wordingOf(features[place]!, readText(text))
    if (!lessons.some(lesson => shareWords(lesson.term, term))) lessons.push({ term, weight })
    if (lessons.length === mostLessons) break
  }
  return lessons
}

const shareWords = (one: string, other: string) => other.split(' ').some(word => one.split(' ').includes(word))
