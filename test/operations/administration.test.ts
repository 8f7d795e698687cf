import t from 'tap'
import { createSample } from '../../src/cli/sample.js'
import { readiness } from '../../src/operations/administration/readiness.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { summariesWrite } from '../../src/operations/papers/summaries-write.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const { context, user } = await testService(t)

t.test('a service without its database is not ready, and says why in the log', async t => {
  t.match(await readiness.run(context, {}), { ready: true, database: true, migrations: true })
  const warnings: string[] = []
  const unreachable = {
    ...context,
    db: undefined,
    log: {
      ...context.log,
      warn: (_data: object, message: string) => {
        warnings.push(message)
      }
    }
  } as unknown as ServiceContext
  t.strictSame(await readiness.run(unreachable, {}), { ready: false, database: false, migrations: false, version: 'unknown' })
  t.strictSame(warnings, ['The database does not respond.'])
})

t.test('the sample is created once, in an empty service', async t => {
  t.match(await createSample(context), { email: 'you@example.org', papers: Number, password: String })
  t.equal(await createSample(context), undefined)
})

t.test('summaries are written for items that lack one, until ten failures in a row', async t => {
  const owner = await user()
  const abstract =
    'Sleep consolidates memory in people and in mice. We recorded spindles for three nights and compared recall in the morning.'
  const project_id = await projectWith(
    owner,
    Array.from({ length: 12 }, (_, at) => ({ title: `Sleep and memory, part ${at}`, abstract, doi: `10.5555/${at}` }))
  )
  t.strictSame(await summariesWrite.run(owner.context, { project_id }), { written: 0, failed: 0 }, 'no model is configured')
  await t.rejects(summariesWrite.run(owner.context, { project_id: '00000000-0000-4000-8000-000000000000' }), { code: 'project_not_found' })
  let requests = 0
  const unreachable = {
    write: async () => {
      requests++
      throw new Error('refused')
    }
  }
  await t.rejects(
    summariesWrite.run({ ...owner.context, summaries: unreachable }, { project_id }),
    { message: 'refused' },
    'ten failures in a row end the run'
  )
  t.ok(requests >= 10 && requests <= 11, `${requests} requests`)
  t.equal((await summariesWrite.run({ ...owner.context, summaries: { write: async () => 'Sleep helps.' } }, { project_id })).failed, 0)
})

t.test('items that enter a feed while summaries are written get theirs, and those that failed are not tried again', async t => {
  const owner = await user()
  const abstract = 'Sleep consolidates memory in people and in mice. We compared recall in the morning.'
  const papers = ['First', 'Second', 'Third'].map(title => ({ title, abstract, doi: `10.5555/while.${title}` }))
  const project_id = await projectWith(owner, papers.slice(0, 2))
  const asked: string[] = []
  const summaries = {
    async write ({ title }: { title: string }) {
      if (asked.length === 0) await addPapers(owner.context, project_id, papers.slice(2))
      asked.push(title)
      if (title === 'Second') throw new Error('refused')
      return 'Sleep helps.'
    }
  }
  t.match(await summariesWrite.run({ ...owner.context, summaries }, { project_id }), { written: 2, failed: 1 })
  t.strictSame(asked.sort(), ['First', 'Second', 'Third'])
})

t.test('an account has a number of calls of the model in a day, also failed ones and those of concurrent runs', async t => {
  const [owner, other] = [await user(), await user()]
  const abstract =
    'Sleep consolidates memory in people and in mice. We recorded spindles for three nights and compared recall in the morning.'
  const papers = Array.from({ length: 12 }, (_, at) => ({ title: `Sleep and recall, part ${at}`, abstract, doi: `10.5555/recall.${at}` }))
  const project_id = await projectWith(owner, papers)
  const today = new Date()
  let requests = 0
  const summaries = {
    async write () {
      if (++requests % 3 === 0) throw new Error('refused')
      return 'Sleep helps.'
    }
  }
  const write = async ({ of = owner, id = project_id, days = 0, isLimited = true } = {}) => {
    const now = () => new Date(today.getTime() + days * 86_400_000)
    return await summariesWrite.run({ ...of.context, now, summaries, maxModelCalls: isLimited ? 4 : undefined }, { project_id: id })
  }
  const runs = await Promise.all([write(), write()])
  t.equal(requests, 4)
  for (const { detail } of runs) t.match(detail, /^Your account's 4 calls of the language model for today are used up\. .* LLM_DAILY_CALLS\.$/)
  t.match(await write(), { written: 0, failed: 0, detail: String })
  t.equal(requests, 4)
  const origins = (await feedGet.run(owner.context, { project_id })).items.map(({ summary_origin }) => summary_origin)
  t.strictSame([...new Set(origins)].sort(), ['abstract', 'model'])
  const ofOther = { of: other, id: await projectWith(other, papers.slice(0, 2)) }
  t.match(await write(ofOther), { written: Number, detail: undefined }, 'another account')
  requests = 0
  await write({ days: 1 })
  t.equal(requests, 4, 'the next day')
  await write({ days: 1, isLimited: false })
  t.ok(requests > 4, 'without a limit')
})
