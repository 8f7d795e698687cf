import { LRUCache } from 'lru-cache'
import { serveTasks } from '../threads/serve-tasks.js'
import { Corpus } from './corpus.js'
import type { Interest, ScoredText } from './interest.js'
import { type Model, type RatedText, train } from './model.js'
import { scorer } from './score.js'
import { suggestTerms } from './suggest-terms.js'
import type { LearningRequest, ScoringRequest, SentModel } from './worker.js'

/** The models that were used last: feeds that are scored at the same time take turns. */
const models = new LRUCache<number, Model>({ max: 4 })
type Scorer = ReturnType<typeof scorer>
const scorers = new LRUCache<string, Scorer>({ max: 4 })

/** A feed is scored in many requests with the same model and interest. @returns undefined if the model must be sent again */
function scorerOf (interest: Interest, sent: SentModel | null): Scorer | undefined {
  if (sent?.model !== undefined) models.set(sent.number, sent.model)
  const model = sent === null ? null : models.get(sent.number)
  if (model === undefined) return undefined
  const key = JSON.stringify([interest, sent?.number ?? null])
  const score = scorers.get(key) ?? scorer(interest, model)
  scorers.set(key, score)
  return score
}

/** Data sent for a training; the thread does only one. */
const corpus = new Corpus()
const rated: RatedText[] = []
const background: ScoredText[] = []
let steps = 0

type Request = ScoringRequest | LearningRequest

serveTasks((request: Request) => {
  if ('step' in request && request.step !== steps++) throw new Error('The learning thread ended early, and another one cannot go on.')
  return answers[request.kind](request as never)
})

const answers: { [K in Request['kind']]: (request: Extract<Request, { kind: K }>) => unknown } = {
  score ({ interest, model, papers }) {
    const score = scorerOf(interest, model)
    return score === undefined ? null : papers.map(score)
  },
  suggest ({ papers, background }) {
    return suggestTerms(papers, background)
  },
  count ({ papers }) {
    for (const paper of papers) corpus.add(paper)
    return null
  },
  rated ({ papers }) {
    rated.push(...papers)
    return null
  },
  background ({ papers }) {
    background.push(...papers)
    return null
  },
  train ({ interest, former }) {
    return train({ interest, corpus, rated, background, former })
  }
}
