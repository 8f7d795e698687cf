import { Type } from 'typebox'
import { dayMs, minuteMs } from '../../schemas/durations.js'
import { lazyValidator } from '../../schemas/lazy-validator.js'
import { Relevance } from '../../schemas/relevance.js'
import { FairQueue } from '../threads/fair-queue.js'
import { backgroundMemory, interactiveMemory } from '../threads/memory-budget.js'
import { type TaskOptions, WorkerPool } from '../threads/worker-pool.js'
import type { Interest, ScoredText } from './interest.js'
import type { RatedText, Model } from './model.js'
import type { SuggestedTerm } from './suggest-terms.js'
import { maxTextLength } from './terms.js'
import type { FormerInterest } from './vote-agreement.js'

/** Messages to the thread that scores. */
export type ScoringRequest =
  | { kind: 'score', interest: Interest, model: SentModel | null, papers: ScoredText[] }
  | { kind: 'suggest', papers: ScoredText[], background: ScoredText[] }
/** A model of up to a megabyte is sent once, then referred to by its number. */
export interface SentModel { number: number, model?: Model }
/** null: the thread does not have the model, or not any more. */
export type ScoringAnswer = Relevance[] | SuggestedTerm[] | null

/** Messages to the thread of one training. `step` counts them: a thread that replaced another one lacks what earlier messages sent. */
export type LearningRequest = { step: number } & LearningStep
type LearningStep =
  | { kind: 'count', papers: ScoredText[] }
  | { kind: 'rated', papers: RatedText[] }
  | { kind: 'background', papers: ScoredText[] }
  | { kind: 'train', interest: Interest, former: FormerInterest[] }

/** The account that work is done for, and what ends it. */
export interface WorkOptions extends Pick<TaskOptions, 'owner' | 'signal'> {
  /** Whether nobody waits for it. Default: false. */
  isBackground?: boolean
}

/** Scoring and learning, off the thread that answers requests. Owners take turns. */
export interface RelevanceWorker {
  /** @throws TaskStopped */
  score (interest: Interest, model: Model | null, papers: readonly ScoredText[], options?: WorkOptions): Promise<Relevance[]>
  /**
   * @param learning.texts the feed in pieces of any size: what word frequencies are counted over
   * @throws TaskStopped
   */
  train (learning: {
    interest: Interest,
    texts: AsyncIterable<readonly ScoredText[]> | Iterable<readonly ScoredText[]>,
    rated: readonly RatedText[],
    background: readonly ScoredText[]
    former?: readonly FormerInterest[]
  }, options?: WorkOptions): Promise<Model>
  /** Ranks the words and phrases of example papers as keywords. @throws TaskStopped */
  suggest (papers: readonly ScoredText[], background: readonly ScoredText[], options?: WorkOptions): Promise<SuggestedTerm[]>
  close (): Promise<void>
}

/** Papers per message, and about how many characters: few, so that callers alternate and copying takes a few milliseconds. */
const [batchSize, maxBatchCharacters] = [100, 500_000]

/** Bounds of the threads. */
export interface RelevanceWorkerOptions {
  /** Milliseconds after which the idle thread that scores ends. Default: 30 s. */
  idleTimeoutMs?: number
  /** Milliseconds that scoring one message may take. Default: 30 s, of which an ordinary message takes some hundredths. */
  scoringTimeoutMs?: number
  /** Milliseconds that one step of learning may take. Default: 5 minutes. */
  learningTimeoutMs?: number
  /** The module that the threads run. Default: worker-thread.js. */
  program?: URL
}

/** Threads are started at their first use. Each training has its own, so that one that is stopped takes nothing from the next. */
export function relevanceWorker ({
  idleTimeoutMs = minuteMs / 2,
  scoringTimeoutMs = minuteMs / 2,
  learningTimeoutMs = 5 * minuteMs,
  program = new URL('./worker-thread.js', import.meta.url)
}: RelevanceWorkerOptions = {}): RelevanceWorker {
  const scoring = new WorkerPool<ScoringRequest, ScoringAnswer>({
    name: 'Scoring', program, timeoutMs: scoringTimeoutMs, maxHeapMb: 128, idleTimeoutMs, maxWaiting: 200
  })
  const learning = new Set<WorkerPool<LearningRequest, Model | null>>()
  /** A training has its memory until it ends, so one at a time runs in the background, and one that a person waits for. */
  const [trainings, backgroundTrainings] = [new FairQueue(), new FairQueue()]
  const numbers = new WeakMap<Model, number>()
  let models = 0
  const refer = (model: Model): SentModel => {
    const number = numbers.get(model)
    if (number !== undefined) return { number }
    numbers.set(model, ++models)
    return { number: models, model }
  }
  return {
    async score (interest, model, papers, options) {
      const scores: Relevance[] = []
      for (const batch of batchesOf(papers.map(textOf))) {
        const request = { kind: 'score' as const, interest: interestOf(interest), papers: batch }
        let answer = await scoring.run({ ...request, model: model === null ? null : refer(model) }, options)
        answer ??= await scoring.run({ ...request, model: { ...refer(model!), model: model! } }, options)
        scores.push(...validScores(answer))
      }
      return scores
    },
    async train ({ interest, texts, rated, background, former = [] }, { isBackground = false, owner = '', signal } = {}) {
      return await (isBackground ? backgroundTrainings : trainings).run(owner, async () => {
        const thread = new WorkerPool<LearningRequest, Model | null>({
          name: 'Learning',
          program,
          timeoutMs: learningTimeoutMs,
          // 5,000 votes of 20 million characters took 300 MiB; interactive trainings have at most 500 votes.
          maxHeapMb: isBackground ? 384 : 192,
          memory: isBackground ? backgroundMemory : interactiveMemory,
          // As long as the training: what it counted is lost with the thread.
          keepsState: true,
          idleTimeoutMs: dayMs
        })
        learning.add(thread)
        let steps = 0
        const run = (step: LearningStep) => thread.run({ step: steps++, ...step }, { owner, signal })
        try {
          for await (const piece of texts) for (const papers of batchesOf(piece.map(textOf))) await run({ kind: 'count', papers })
          for (const papers of batchesOf(rated.map(ratedTextOf))) await run({ kind: 'rated', papers })
          for (const papers of batchesOf(background.map(textOf))) await run({ kind: 'background', papers })
          const interests = former.map(({ interest_description, positive_keywords }) => ({ interest_description, positive_keywords }))
          return await run({ kind: 'train', interest: interestOf(interest), former: interests }) as Model
        } finally {
          learning.delete(thread)
          await thread.close()
        }
      })
    },
    async suggest (papers, background, options) {
      const request = { kind: 'suggest' as const, papers: papers.map(textOf), background: background.map(textOf) }
      return await scoring.run(request, options) as SuggestedTerm[]
    },
    async close () { await Promise.all([scoring, ...learning].map(pool => pool.close())) }
  }
}

function * batchesOf<T extends ScoredText> (papers: readonly T[]): Iterable<T[]> {
  let batch: T[] = []
  let characters = 0
  for (const paper of papers) {
    const length = paper.title.length + (paper.abstract?.length ?? 0)
    if (batch.length === batchSize || (batch.length > 0 && characters + length > maxBatchCharacters)) {
      yield batch
      batch = []
      characters = 0
    }
    batch.push(paper)
    characters += length
  }
  if (batch.length > 0) yield batch
}

const scoresValidator = lazyValidator(Type.Array(Relevance))

/** The response of the thread, which is stored unchanged. */
function validScores (answer: unknown): Relevance[] {
  const areScores = scoresValidator()
  if (!areScores(answer)) {
    throw new Error(`The scoring thread gave an invalid score: ${areScores.errors![0]!.instancePath} ${areScores.errors![0]!.message}.`)
  }
  return answer
}

/** Callers have whole rows; only what scoring reads is copied to the thread. */
const textOf = ({ title, abstract, signals }: ScoredText): ScoredText => ({
  title: title.slice(0, maxTextLength),
  abstract: abstract?.slice(0, maxTextLength) ?? null,
  ...(signals === undefined ? {} : { signals })
})
const ratedTextOf = ({ paper_id, vote, downvote_reason, isSeed, former, ...text }: RatedText): RatedText => ({
  ...textOf(text),
  paper_id,
  vote,
  downvote_reason,
  ...(isSeed === undefined ? {} : { isSeed }),
  ...(former === undefined ? {} : { former })
})
const interestOf = ({ interest_description, positive_keywords, negative_keywords, must_read_threshold }: Interest): Interest =>
  ({ interest_description, positive_keywords, negative_keywords, must_read_threshold })
