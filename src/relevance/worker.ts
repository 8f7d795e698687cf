import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Type } from 'typebox'
import { lazyValidator } from '../../schemas/lazy-validator.js'
import { Relevance } from '../../schemas/relevance.js'
import type { Interest, ScoredText } from './interest.js'
import type { RatedText, Model } from './model.js'
import type { SuggestedTerm } from './suggest-terms.js'
import type { FormerInterest } from './vote-agreement.js'

/** Messages to the thread; responses have the same id. */
export type Request =
  | { kind: 'score', interest: Interest, model: SentModel | null, papers: ScoredText[] }
  | { kind: 'count', corpus: number, papers: ScoredText[] }
  | { kind: 'train', corpus: number, interest: Interest, judged: RatedText[], background: ScoredText[], former: FormerInterest[] }
  | { kind: 'drop', corpus: number }
  | { kind: 'suggest', papers: ScoredText[], background: ScoredText[] }
/** A model of up to a megabyte is sent once, then referred to by its number until the thread drops it. */
export interface SentModel { number: number, model?: Model, dropped?: number | undefined }
export type Answer = { id: number, value: unknown } | { id: number, error: string }

/** Scoring and learning, off the thread that answers requests. */
export interface RelevanceWorker {
  score (interest: Interest, model: Model | null, papers: readonly ScoredText[]): Promise<Relevance[]>
  /** @param texts the feed, piece by piece: what word frequencies are counted over */
  train (learning: {
    interest: Interest,
    texts: AsyncIterable<ScoredText[]>,
    judged: readonly RatedText[],
    background: readonly ScoredText[]
    former?: readonly FormerInterest[]
  }): Promise<Model>
  /** Ranks the words and phrases of example papers as keywords. */
  suggest (papers: readonly ScoredText[], background: readonly ScoredText[]): Promise<SuggestedTerm[]>
  close (): Promise<void>
}

/** Papers per message: few, so callers alternate and copying takes a few milliseconds. */
const batchSize = 100
/** Models that the thread keeps. */
const maxSentModels = 4

/**
 * Threads are started at their first use. Learning has its own, so that no score waits for it; it ends when nothing is being learned.
 * @param idleTimeoutMs milliseconds after which the idle thread that scores ends
 */
export function relevanceWorker ({ idleTimeoutMs = 30_000 } = {}): RelevanceWorker {
  const scoring = new ThreadOnDemand(idleTimeoutMs)
  const learning = new ThreadOnDemand()
  let corpora = 0
  let trainings = 0
  const numbers = new WeakMap<Model, number>()
  let models = 0
  const sentModel = (model: Model): SentModel => {
    if (!numbers.has(model)) numbers.set(model, ++models)
    return scoring.get().send(numbers.get(model)!, model)
  }
  return {
    async score (interest, model, papers) {
      const scores: Relevance[] = []
      for (let at = 0; at < papers.length; at += batchSize) {
        scores.push(...validScores(await scoring.get().ask({
          kind: 'score',
          interest: interestOf(interest),
          model: model === null ? null : sentModel(model),
          papers: papers.slice(at, at + batchSize).map(textOf)
        })))
      }
      return scores
    },
    async train ({ interest, texts, judged, background, former = [] }) {
      const corpus = ++corpora
      trainings++
      // If it ends, what it counted is lost, and another thread cannot go on.
      const thread = learning.get()
      try {
        for await (const papers of texts) await thread.ask({ kind: 'count', corpus, papers: papers.map(textOf) })
        const request: Request = {
          kind: 'train',
          corpus,
          interest: interestOf(interest),
          judged: [...judged],
          background: background.map(textOf),
          former: former.map(({ interest_description, positive_keywords }) => ({ interest_description, positive_keywords }))
        }
        return await thread.ask(request) as Model
      } finally {
        if (--trainings === 0) await learning.close()
        else thread.ask({ kind: 'drop', corpus }).catch(() => {})
      }
    },
    async suggest (papers, background) {
      return await scoring.get().ask({ kind: 'suggest', papers: papers.map(textOf), background: background.map(textOf) }) as SuggestedTerm[]
    },
    async close () { await Promise.all([scoring.close(), learning.close()]) }
  }
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
const textOf = ({ title, abstract, signals }: ScoredText): ScoredText =>
  signals === undefined ? { title, abstract } : { title, abstract, signals }
const interestOf = ({ interest_description, positive_keywords, negative_keywords, must_read_threshold }: Interest): Interest =>
  ({ interest_description, positive_keywords, negative_keywords, must_read_threshold })

/** A thread that starts when it is needed, again after it has ended. */
class ThreadOnDemand {
  readonly #idleTimeoutMs: number | undefined
  #thread: Thread | undefined
  #timer: NodeJS.Timeout | undefined

  /** @param idleTimeoutMs milliseconds after which an idle thread ends; undefined: it does not */
  constructor (idleTimeoutMs?: number) {
    this.#idleTimeoutMs = idleTimeoutMs
  }

  get (): Thread {
    if (this.#thread === undefined) {
      const thread = new Thread({
        onEnd: () => { if (this.#thread === thread) this.#thread = undefined },
        onIdle: () => this.#endLater(thread)
      })
      this.#thread = thread
    }
    clearTimeout(this.#timer)
    return this.#thread
  }

  #endLater (thread: Thread): void {
    if (this.#idleTimeoutMs === undefined || this.#thread !== thread) return
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => { this.close().catch(() => {}) }, this.#idleTimeoutMs).unref()
  }

  async close (): Promise<void> {
    clearTimeout(this.#timer)
    const thread = this.#thread
    this.#thread = undefined
    await thread?.close()
  }
}

class Thread {
  readonly #worker = new Worker(new URL('./worker-thread.js', import.meta.url), { execArgv: [], env: {} })
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void }>()
  #asked = 0
  #models: number[] = []
  #ended: Error | undefined
  /** From then on, the process must not end before the thread. */
  #isClosing = false

  constructor ({ onEnd, onIdle }: { onEnd: () => void, onIdle: () => void }) {
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0 && !this.#isClosing) {
        this.#worker.unref()
        onIdle()
      }
      if ('error' in answer) waiting?.reject(new Error(answer.error))
      else waiting?.resolve(answer.value)
    })
    const end = (cause: Error) => {
      this.#ended ??= cause
      onEnd()
      for (const { reject } of this.#waiting.values()) reject(cause)
      this.#waiting.clear()
    }
    this.#worker.on('error', end)
    this.#worker.on('exit', () => end(new Error('Scoring was stopped.')))
  }

  /** Prepares a model to be sent with the next request. */
  send (number: number, model: Model): SentModel {
    if (this.#models.includes(number)) return { number }
    this.#models.push(number)
    return { number, model, dropped: this.#models.length > maxSentModels ? this.#models.shift() : undefined }
  }

  ask (request: Request): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== undefined) return reject(this.#ended)
      const id = ++this.#asked
      this.#waiting.set(id, { resolve, reject })
      // While something waits, the process must not end.
      this.#worker.ref()
      this.#worker.postMessage({ id, ...request })
    })
  }

  async close (): Promise<void> {
    this.#isClosing = true
    const exit = once(this.#worker, 'exit')
    await this.#worker.terminate()
    await exit.catch(() => {})
  }
}
