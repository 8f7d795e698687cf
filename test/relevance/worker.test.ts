import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import t from 'tap'
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
  const judged = papers.slice(0, 200).map((paper, at) => ({
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
  const training = worker.train({ interest, texts: texts(), judged, background: papers.slice(200) }).then(model => {
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
  t.match(await worker.train({ interest, texts: texts(), judged: [], background: papers }), { version: 3 }, 'learning starts again')
})

t.test('any number of feeds is learned at the same time, each from its own texts', async t => {
  const worker = relevanceWorker()
  t.teardown(() => worker.close())
  const feeds = 6
  const papers = [...makePapers(feeds * 40)]
  const learningOf = (feed: number, texts: AsyncIterable<typeof papers>) =>
    ({ interest, texts, judged: [], background: papers.slice(feed * 40, feed * 40 + 40) })
  async function * textsOf (feed: number, counted: () => Promise<void> = async () => {}) {
    yield papers.slice(feed * 40, feed * 40 + 20)
    await counted()
    yield papers.slice(feed * 40 + 20, feed * 40 + 40)
  }
  const alone = []
  for (let feed = 0; feed < feeds; feed++) alone.push(await worker.train(learningOf(feed, textsOf(feed))))

  let halfCounted = 0
  let goOn = () => {}
  const allHalfCounted = new Promise<void>(resolve => { goOn = resolve })
  const counted = async () => {
    if (++halfCounted === feeds) goOn()
    await allHalfCounted
  }
  const together = await Promise.all(alone.map((_, feed) => worker.train(learningOf(feed, textsOf(feed, counted)))))
  for (const [feed, model] of together.entries()) t.strictSame(model.vocabulary, alone[feed]!.vocabulary, `feed ${feed}`)
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
