import { parentPort } from 'node:worker_threads'
import { Corpus } from './corpus.js'
import type { Interest } from './interest.js'
import { type Model, train } from './model.js'
import { scorer } from './score.js'
import { suggestTerms } from './suggest-terms.js'
import type { Answer, Request, SentModel } from './worker.js'

/** The models that were sent last. */
const models = new Map<number, Model>()
type Scorer = ReturnType<typeof scorer>
/** The scorers that were used last, the newest at the end: feeds that are scored at the same time take turns. */
const scorers = new Map<string, Scorer>()
const maxScorers = 4

/** A feed is scored in many requests with the same model and interest. */
function scorerOf (interest: Interest, sent: SentModel | null): Scorer {
  if (sent?.model !== undefined) models.set(sent.number, sent.model)
  if (sent?.dropped !== undefined) models.delete(sent.dropped)
  const key = JSON.stringify([interest, sent?.number ?? null])
  const score = scorers.get(key) ?? scorer(interest, sent === null ? null : models.get(sent.number)!)
  scorers.delete(key)
  scorers.set(key, score)
  if (scorers.size > maxScorers) scorers.delete(scorers.keys().next().value!)
  return score
}

/** Corpora being counted; the end of a training, even of an interrupted one, removes its own. */
const corpora = new Map<number, Corpus>()

parentPort!.on('message', ({ id, ...request }: Request & { id: number }) => {
  let answer: Answer
  try {
    answer = { id, value: answers[request.kind](request as never) }
  } catch (error) {
    answer = { id, error: (error as Error).message }
  }
  parentPort!.postMessage(answer)
})

const answers: { [K in Request['kind']]: (request: Extract<Request, { kind: K }>) => unknown } = {
  score ({ interest, model, papers }) {
    return papers.map(scorerOf(interest, model))
  },
  count ({ corpus, papers }) {
    const counted = corpora.get(corpus) ?? new Corpus()
    corpora.set(corpus, counted)
    for (const paper of papers) counted.add(paper)
    return null
  },
  train ({ corpus, ...learning }) {
    return train({ ...learning, corpus: corpora.get(corpus) ?? new Corpus() })
  },
  suggest ({ papers, background }) {
    return suggestTerms(papers, background)
  },
  drop ({ corpus }) {
    corpora.delete(corpus)
    return null
  }
}
