import type { LearningChanges } from '../../schemas/learning.js'
import { formatQuantity } from '../input/validator.js'
import type { Lessons } from './lessons.js'

/** Smaller changes of a score are not counted. */
export const minCountedChange = 0.05
/** Papers that each list names. */
const maxNamed = 5
/** Terms that the sentence quotes. */
const maxQuoted = 3

type ChangedPaper = LearningChanges['rose']['items'][number]

/** Collects how a rescoring changes a feed, in memory that does not grow with the feed. */
export class LearningRecorder {
  readonly #lists = { entered: new TopList(), left: new TopList(), rose: new TopList(), fell: new TopList() }

  /** Records a paper of the feed that was scored again and stays. */
  rescored (
    { paper_id, title, relevance_score: score_before }: { paper_id: string, title: string, relevance_score: number },
    score: number
  ): void {
    const change = score - score_before
    if (Math.abs(change) >= minCountedChange) {
      this.#lists[change > 0 ? 'rose' : 'fell'].add({ paper_id, title, score_before, score }, Math.abs(change))
    }
  }

  entered ({ paper_id, title }: { paper_id: string, title: string }, score: number): void {
    this.#lists.entered.add({ paper_id, title, score_before: null, score }, score)
  }

  left ({ paper_id, title, relevance_score: score_before }: { paper_id: string, title: string, relevance_score: number }): void {
    this.#lists.left.add({ paper_id, title, score_before, score: null }, score_before)
  }

  /** @param before the lessons of the former model; undefined without one */
  changes ({ votes, before, after }: { votes: number, before: Lessons | undefined, after: Lessons | undefined }): LearningChanges {
    const [termsBefore, termsAfter] = [termsOf(before), termsOf(after)]
    const added = (from: ChangedTerms, to: ChangedTerms) =>
      to.filter(({ term, effect }) => !from.some(each => each.term === term && each.effect === effect))
    const { entered, left, rose, fell } = this.#lists
    const data = {
      votes,
      terms_gained: added(termsBefore, termsAfter),
      terms_lost: added(termsAfter, termsBefore),
      entered: entered.result(),
      left: left.result(),
      rose: rose.result(),
      fell: fell.result()
    }
    return { sentence: sentenceOf(data), ...data }
  }
}

/** Counts papers and keeps those with the greatest weight. */
class TopList {
  #count = 0
  readonly #top: Array<{ paper: ChangedPaper, weight: number }> = []

  add (paper: ChangedPaper, weight: number): void {
    const named = this.#top.find(each => each.paper.paper_id === paper.paper_id)
    if (named !== undefined) {
      // A newer model scored it again.
      named.paper = { ...paper, score_before: named.paper.score_before }
      return
    }
    this.#count++
    if (this.#top.length === maxNamed && weight <= this.#top.at(-1)!.weight) return
    this.#top.push({ paper, weight })
    this.#top.sort((a, b) => b.weight - a.weight)
    this.#top.splice(maxNamed)
  }

  result (): LearningChanges['rose'] {
    return { count: this.#count, items: this.#top.map(({ paper }) => paper) }
  }
}

type ChangedTerms = LearningChanges['terms_gained']

function termsOf ({ wanted, unwanted }: Lessons = { wanted: [], unwanted: [] }): ChangedTerms {
  return [
    ...wanted.map(({ term }) => ({ term, effect: 'raises' as const })),
    ...unwanted.map(({ term }) => ({ term, effect: 'lowers' as const }))
  ]
}

function sentenceOf ({ votes, terms_gained, terms_lost, entered, left, rose, fell }: Omit<LearningChanges, 'sentence'>): string {
  const papers = entered.count + left.count + rose.count + fell.count === 0
    ? 'No score changed noticeably.'
    : `${formatQuantity(entered.count, 'paper')} added, ${left.count} removed; ${formatQuantity(rose.count, 'score')} rose, ${fell.count} fell.`
  return [
    votes === 0 ? 'Rescored without votes.' : `Learned from ${formatQuantity(votes, 'vote')}.`,
    ...(terms_gained.length === 0 ? [] : [`Terms gained: ${quoted(terms_gained)}.`]),
    ...(terms_lost.length === 0 ? [] : [`Terms lost: ${quoted(terms_lost)}.`]),
    papers
  ].join(' ')
}

function quoted (terms: ChangedTerms): string {
  const words = terms.slice(0, maxQuoted).map(({ term, effect }) => `“${term}” (${effect} scores)`).join(', ')
  return terms.length > maxQuoted ? `${words} and ${terms.length - maxQuoted} more` : words
}
