import type { LearningChanges } from '../../schemas/learning.js'
import { formatQuantity } from '../input/validator.js'
import type { Lessons } from './lessons.js'

/** Smaller changes of a score are not counted. */
export const minCountedChange = 0.05
/** Papers that each list names, and keeps, so that others take the places of those that a newer model moves back. */
const [maxNamed, maxKept] = [5, 50]
/** Terms that the sentence quotes. */
const maxQuoted = 3

/**
 * Changed papers that are remembered, about 20 MB: a newer model may score them again in the same rescoring. Those beyond them count once
 * for each model.
 */
const maxRemembered = 100_000

type ChangedPaper = LearningChanges['rose']['items'][number]
type Kind = 'entered' | 'left' | 'rose' | 'fell'
/** Scores before the rescoring and now; null outside of the feed. */
interface Change { before: number | null, now: number | null }

/** Collects how a rescoring changes a feed, in bounded memory. A paper counts once, from its first score to its last one. */
export class LearningRecorder {
  readonly #lists: Record<Kind, TopList> = { entered: new TopList(), left: new TopList(), rose: new TopList(), fell: new TopList() }
  readonly #remembered = new Map<string, Change>()

  /** Records a paper of the feed that was scored again and stays. */
  rescored ({ relevance_score, ...paper }: { paper_id: string, title: string, relevance_score: number }, score: number): void {
    this.#record(paper, { before: relevance_score, now: score })
  }

  entered (paper: { paper_id: string, title: string }, score: number): void {
    this.#record(paper, { before: null, now: score })
  }

  left ({ relevance_score, ...paper }: { paper_id: string, title: string, relevance_score: number }): void {
    this.#record(paper, { before: relevance_score, now: null })
  }

  #record ({ paper_id, title }: { paper_id: string, title: string }, latest: Change): void {
    const former = this.#remembered.get(paper_id)
    const change = former === undefined ? latest : { before: former.before, now: latest.now }
    const formerKind = former && kindOf(former)
    if (formerKind !== undefined) this.#lists[formerKind].remove(paper_id)
    const kind = kindOf(change)
    if (kind !== undefined) {
      this.#lists[kind].add({ paper_id, title, score_before: change.before, score: change.now }, sizeOf(change))
    }
    if (former !== undefined || (change.before !== change.now && this.#remembered.size < maxRemembered)) {
      this.#remembered.set(paper_id, change)
    }
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

/** What a change is listed as; undefined if it is too small, or the paper is outside of the feed as before. */
function kindOf (change: Change): Kind | undefined {
  const { before, now } = change
  if (before === null) return now === null ? undefined : 'entered'
  if (now === null) return 'left'
  if (sizeOf(change) < minCountedChange) return undefined
  return now > before ? 'rose' : 'fell'
}

const sizeOf = ({ before, now }: Change): number => Math.abs((now ?? 0) - (before ?? 0))

/** Counts papers and keeps those with the greatest weight. */
class TopList {
  #count = 0
  readonly #top: Array<{ paper: ChangedPaper, weight: number }> = []

  /** @param paper one that is not listed */
  add (paper: ChangedPaper, weight: number): void {
    this.#count++
    if (this.#top.length === maxKept && weight <= this.#top.at(-1)!.weight) return
    const at = this.#top.findIndex(each => each.weight < weight)
    this.#top.splice(at === -1 ? this.#top.length : at, 0, { paper, weight })
    this.#top.splice(maxKept)
  }

  /** Takes back a paper that was added. */
  remove (paperId: string): void {
    this.#count--
    const at = this.#top.findIndex(({ paper }) => paper.paper_id === paperId)
    if (at !== -1) this.#top.splice(at, 1)
  }

  result (): LearningChanges['rose'] {
    return { count: this.#count, items: this.#top.slice(0, maxNamed).map(({ paper }) => paper) }
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
    : `${formatQuantity(entered.count, 'paper')} added, ${left.count} removed; ` +
      `${formatQuantity(rose.count, 'score')} rose, ${fell.count} fell.`
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
