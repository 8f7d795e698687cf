import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Ajv, type ValidateFunction } from 'ajv'
import { Type } from 'typebox'
import { formats } from '../../schemas/formats.js'
import { Relevance } from '../../schemas/relevance.js'
import type { Interest, ScoredText } from './interest.js'
import type { Judged, Model } from './model.js'

/** What the thread is asked; the answers come back under the same number. */
export type Request =
  | { kind: 'score', interest: Interest, model: Model | null, papers: ScoredText[] }
  | { kind: 'count', corpus: number, papers: ScoredText[] }
  | { kind: 'train', corpus: number, interest: Interest, judged: Judged[], background: ScoredText[] }
export type Answer = { id: number, value: unknown } | { id: number, error: string }

/** Scoring and learning, off the thread that answers requests. */
export interface RelevanceWorker {
  score (interest: Interest, model: Model | null, papers: readonly ScoredText[]): Promise<Relevance[]>
  /** @param texts the feed, piece by piece: what word frequencies are counted over */
  train (learning: { interest: Interest, texts: AsyncIterable<ScoredText[]>, judged: readonly Judged[], background: readonly ScoredText[] }): Promise<Model>
  close (): Promise<void>
}

/** Papers of one message: few enough that the thread turns to another caller soon. */
const papersAtOnce = 500

/** The thread is started at its first use. */
export function relevanceWorker (): RelevanceWorker {
  let thread: Thread | undefined
  let corpora = 0
  const ask = async <T>(request: Request): Promise<T> => {
    thread ??= new Thread(() => { thread = undefined })
    return await thread.ask(request) as T
  }
  return {
    async score (interest, model, papers) {
      const scores: Relevance[] = []
      for (let at = 0; at < papers.length; at += papersAtOnce) {
        scores.push(...validScores(await ask<unknown>({ kind: 'score', interest: interestOf(interest), model, papers: papers.slice(at, at + papersAtOnce).map(textOf) })))
      }
      return scores
    },
    async train ({ interest, texts, judged, background }) {
      const corpus = ++corpora
      for await (const papers of texts) await ask({ kind: 'count', corpus, papers })
      return await ask({ kind: 'train', corpus, interest: interestOf(interest), judged: [...judged], background: [...background] })
    },
    async close () { await thread?.close() }
  }
}

let matches: ValidateFunction<Relevance[]> | undefined

/** What the thread answered, which goes into feeds as it is. */
function validScores (answer: unknown): Relevance[] {
  matches ??= new Ajv({ strictSchema: false, formats }).compile<Relevance[]>(Type.Array(Relevance))
  if (!matches(answer)) throw new Error(`The scoring thread gave an invalid score: ${matches.errors![0]!.instancePath} ${matches.errors![0]!.message}.`)
  return answer
}

/** Callers have whole rows; only what scoring reads is copied to the thread. */
const textOf = ({ title, abstract }: ScoredText): ScoredText => ({ title, abstract })
const interestOf = ({ interest_description, positive_keywords, negative_keywords, must_read_threshold }: Interest): Interest =>
  ({ interest_description, positive_keywords, negative_keywords, must_read_threshold })

class Thread {
  readonly #worker = new Worker(new URL('./worker-thread.js', import.meta.url), { execArgv: [], env: {} })
  readonly #waiting = new Map<number, { resolve: (value: unknown) => void, reject: (error: Error) => void }>()
  #asked = 0

  constructor (onEnd: () => void) {
    this.#worker.unref()
    this.#worker.on('message', (answer: Answer) => {
      const waiting = this.#waiting.get(answer.id)
      this.#waiting.delete(answer.id)
      if (this.#waiting.size === 0) this.#worker.unref()
      if ('error' in answer) waiting?.reject(new Error(answer.error))
      else waiting?.resolve(answer.value)
    })
    const end = (cause: Error) => {
      onEnd()
      for (const { reject } of this.#waiting.values()) reject(cause)
      this.#waiting.clear()
    }
    this.#worker.on('error', end)
    this.#worker.on('exit', () => end(new Error('Scoring was stopped.')))
  }

  ask (request: Request): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++this.#asked
      this.#waiting.set(id, { resolve, reject })
      // While something waits, the process must not end.
      this.#worker.ref()
      this.#worker.postMessage({ id, ...request })
    })
  }

  async close (): Promise<void> {
    const exit = once(this.#worker, 'exit')
    await this.#worker.terminate()
    await exit.catch(() => {})
  }
}
