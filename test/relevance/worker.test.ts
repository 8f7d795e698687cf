import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { serialize } from 'node:v8'
import { Worker } from 'node:worker_threads'
import t from 'tap'
import type { RatedText } from '../../src/relevance/model.js'
import { until } from '../support/until.js'
import { relevanceWorker } from '../../src/relevance/worker.js'
import { makePapers } from '../../bench/search/corpus.js'

const interest = {
  interest_description: 'How sleep consolidates memory',
  positive_keywords: [],
  negative_keywords: [],
  must_read_threshold: 0.6
}

t.test('papers are scored while a feed is being learned', async t => {
  const papers = [...makePapers(600)]
  const rated = papers.slice(0, 200).map((paper, at) => ({
    ...paper,
    paper_id: randomUUID(),
    vote: at % 3 === 0 ? 'upvote' as const : 'downvote' as const,
    downvote_reason: null
  }))
  const worker = relevanceWorker()
  t.teardown(() => worker.close())
  let beginTraining = () => {}
  const trainingBegins = new Promise<void>(resolve => { beginTraining = resolve })
  async function * texts () {
    for (let at = 0; at < papers.length; at += 200) yield papers.slice(at, at + 200)
    beginTraining()
  }
  // Starts the thread that scores: its start can take longer than the training.
  await worker.score(interest, null, papers.slice(0, 1))
  const ended: string[] = []
  const training = worker.train({ interest, texts: texts(), rated, background: papers.slice(200) }).then(model => {
    ended.push('training')
    return model
  })
  await trainingBegins
  t.equal((await worker.score(interest, null, papers.slice(0, 100))).length, 100)
  ended.push('scoring')
  const model = await training
  t.strictSame(ended, ['scoring', 'training'])

  // Feeds that are scored in turns keep their models apart.
  const other = { ...interest, interest_description: 'Retina implants' }
  const [learned, plain] = [await worker.score(interest, model, papers), await worker.score(other, null, papers)]
  const both = await Promise.all([worker.score(interest, model, papers), worker.score(other, null, papers)])
  t.strictSame(both, [learned, plain])
  t.match(await worker.train({ interest, texts: texts(), rated: [], background: papers }), { version: 7 }, 'learning starts again')
})

t.test('feeds are learned one after another, each from its own texts, and nobody waits for one in the background', async t => {
  const worker = relevanceWorker()
  t.teardown(() => worker.close())
  const feeds = 4
  const papers = [...makePapers(feeds * 40)]
  let running = 0
  async function * textsOf (feed: number) {
    t.equal(++running, 1)
    for (let half = 0; half < 2; half++) yield papers.slice(feed * 40 + half * 20, feed * 40 + half * 20 + 20)
    running--
  }
  const learn = async (feed: number, options: { isBackground?: boolean } = {}) => await worker.train(
    { interest, texts: textsOf(feed), rated: [], background: papers.slice(feed * 40, feed * 40 + 40) },
    options
  )
  const alone = []
  for (let feed = 0; feed < feeds; feed++) alone.push(await learn(feed))
  for (const isBackground of [false, true]) {
    const together = await Promise.all(alone.map((_, feed) => learn(feed, { isBackground })))
    for (const [feed, model] of together.entries()) t.strictSame(model.vocabulary, alone[feed]!.vocabulary, `feed ${feed}`)
  }

  let goOn = () => {}
  const stalled = new Promise<void>(resolve => { goOn = resolve })
  async function * slowTexts () {
    yield papers.slice(0, 20)
    await stalled
  }
  const slow = worker.train({ interest, texts: slowTexts(), rated: [], background: papers.slice(0, 40) }, { isBackground: true })
  t.match(await learn(0), { version: 7 })
  goOn()
  t.match(await slow, { version: 7 })
})

t.test('the thread that scores ends when it is idle, and starts again', { skip: !existsSync('/proc/self/task') }, async t => {
  const countThreads = () => readdirSync('/proc/self/task').length
  const [paper] = makePapers(1)
  const worker = relevanceWorker({ idleTimeoutMs: 50 })
  t.teardown(() => worker.close())
  // Other threads of the process start with the first one.
  await worker.score(interest, null, [paper!])
  const running = countThreads()
  await until(async () => countThreads() < running)
  t.equal((await worker.score(interest, null, [paper!])).length, 1)
})

const noTexts = async function * () {}

t.test('work that does not end is stopped, and others go on', { timeout: 300_000 }, async t => {
  const program = new URL('../support/stalling-thread.js', import.meta.url)
  const worker = relevanceWorker({ program, scoringTimeoutMs: 8000, learningTimeoutMs: 8000 })
  t.teardown(() => worker.close())
  const [paper] = makePapers(1)
  const stalling = { ...interest, interest_description: 'Never ends' }
  const untrained = { texts: noTexts(), rated: [], background: [] }
  const aborting = new AbortController()
  const stopped = [
    t.rejects(worker.score(stalling, null, [paper!], { owner: 'one' }), {
      message: 'Scoring took longer than 8 s and was stopped.'
    }),
    t.rejects(worker.train({ ...untrained, interest: stalling }, { owner: 'one' }), {
      message: 'Learning took longer than 8 s and was stopped.'
    }),
    t.rejects(worker.train({ ...untrained, interest: stalling }, { owner: 'other', signal: aborting.signal }), {
      message: 'too late'
    })
  ]
  const [scores, model] = await Promise.all([
    worker.score(interest, null, [paper!], { owner: 'other' }),
    worker.train({ ...untrained, interest }, { owner: 'third' }),
    // The first training has its turn, and stops; then the second.
    stopped[1]!.then(() => aborting.abort(new Error('too late')))
  ])
  t.equal(scores.length, 1)
  t.match(model, { version: 7 })
  await Promise.all(stopped)
})

t.test('messages to the threads are small, however long the texts are', { timeout: 300_000 }, async t => {
  const sizes: number[] = []
  const { postMessage } = Worker.prototype
  t.teardown(() => { Worker.prototype.postMessage = postMessage })
  Worker.prototype.postMessage = function (this: Worker, message: unknown, ...transfer: []) {
    sizes.push(serialize(message).byteLength)
    return postMessage.call(this, message, ...transfer)
  }
  const worker = relevanceWorker()
  t.teardown(() => worker.close())
  const rated = Array.from({ length: 300 }, (_, at): RatedText => ({
    paper_id: randomUUID(), title: `Sleep ${at}`, abstract: 'Sleepless nights — '.repeat(1000), vote: 'upvote', downvote_reason: null
  }))
  await worker.train({ interest, texts: noTexts(), rated, background: rated.slice(0, 30) })
  t.equal((await worker.score(interest, null, rated)).length, rated.length)
  t.ok(sizes.length > 20, `${sizes.length} messages`)
  t.ok(Math.max(...sizes) < 1_100_000, `${Math.max(...sizes)} bytes`)
})

t.test('models that the thread does not keep are sent again', async t => {
  const worker = relevanceWorker()
  t.teardown(() => worker.close())
  const papers = [...makePapers(40)]
  async function * texts () { yield papers }
  const model = await worker.train({ interest, texts: texts(), rated: [], background: papers })
  const expected = await worker.score(interest, model, papers)
  const models = Array.from({ length: 6 }, () => structuredClone(model))
  for (const each of [...models, ...models]) t.strictSame(await worker.score(interest, each, papers), expected)
})
