import { parentPort } from 'node:worker_threads'
import '../../src/relevance/worker-thread.js'
import type { LearningRequest, ScoringRequest } from '../../src/relevance/worker.js'

/* The thread of worker.test.ts that scores and learns, but never ends with the interest "Never ends". */

const stallingInterest = 'Never ends'

// Before the answer, which the other listener sends in a microtask.
parentPort!.on('message', (request: ScoringRequest | LearningRequest) => {
  if ('interest' in request && request.interest.interest_description === stallingInterest) for (;;) Math.random()
})
