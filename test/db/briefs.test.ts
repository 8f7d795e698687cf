import fc from 'fast-check'
import t from 'tap'
import { connect, type Db } from '../../db/connection.js'
import { namedConsumer } from '../../db/queries/briefs.js'
import { setFeedback } from '../../db/queries/votes.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { replaceScores } from '../../db/queries/relevance.js'
import { retryConflicts } from '../../db/queries/retry.js'
import { type SavedBrief, saveNextBrief } from '../support/briefs.js'
import { connectionTimeoutMs } from '../support/database.js'
import { addPapers, projectWith, testService, type TestService, type TestUser } from '../support/service.js'

const consumers = ['agent', 'digest', 'notebook'] as const
type Consumer = typeof consumers[number]

const consumer = fc.constantFrom(...consumers)
const nth = fc.nat({ max: 1000 })
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('arrive' as const), papers: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('read' as const), consumer, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('acknowledge' as const), consumer, limit: fc.integer({ min: 1, max: 5 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('acknowledge again' as const), consumer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rescore' as const), nth, score: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('vote' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('leave and return' as const), nth }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), nth }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('merge' as const), nth, other: nth }) }
)
type Step = Parameters<Parameters<typeof step.map>[0]>[0]

t.test('every item reaches every consumer until acknowledged', async t => {
  const service = await testService(t)
  const { settings: { databaseUrl, dataDir }, context: { installation } } = service
  const secondProcess =
    installation.databaseKind === 'postgresql'
      ? await connect({ databaseUrl, dataDir, name: 'second process', share: false, connectionTimeoutMs })
      : undefined
  if (secondProcess !== undefined) t.teardown(() => secondProcess.close())
  const databases = [service.context.db, secondProcess?.db ?? service.context.db]
  let count = 0
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 16, maxLength: 28 }), async rounds => {
      const trial = await beginTrial(service, databases)
      for (const steps of rounds) {
        count += steps.length
        // The steps of a round run at the same time.
        await Promise.all(steps.map(each => trial.run(each)))
      }
      await trial.drain()
      const { delivered, feed } = await trial.state()
      for (const name of consumers) {
        for (const paper of feed) if (!delivered[name].has(paper)) throw new Error(`${name} was not delivered ${paper}`)
      }
    }),
    { numRuns: 30, endOnFailure: true, includeErrorInReport: true }
  )
  t.ok(count >= 1000, `${count} steps`)
})

/** One user with one project; every read is held against what its consumer had acknowledged before it began. */
async function beginTrial (service: TestService, databases: Array<TestService['context']['db']>) {
  const user: TestUser = await service.user()
  const accountId = user.context.account.id
  const projectId = await projectWith(user, [{ title: 'First paper' }])
  const db = databases[0]!
  const delivered: Record<Consumer, Set<string>> = { agent: new Set(), digest: new Set(), notebook: new Set() }
  const acknowledged: Record<Consumer, Set<string>> = { agent: new Set(), digest: new Set(), notebook: new Set() }
  const open: Partial<Record<Consumer, { id: string, papers: string[] }>> = {}
  const last: Partial<Record<Consumer, string>> = {}
  const reading = new Map<Consumer, Promise<unknown>>()
  const mergedInto = new Map<string, string>()
  const canonical = (id: string): string => mergedInto.has(id) ? canonical(mergedInto.get(id)!) : id
  let papers = 0
  let turn = 0

  const items = () =>
    db
      .selectFrom('project_paper')
      .select(['id', 'paper_id', 'summary', 'relevance_class', 'ready_at'])
      .where('project_id', '=', projectId)
      .orderBy('id')
      .execute()
  const pick = async (nth: number) => {
    const all = await items()
    return all[nth % Math.max(all.length, 1)]
  }

  const next = async (name: Consumer, limit: number, acknowledge?: { id: string, papers: string[] }) => {
    // A merge that ends during the read may come after it.
    const acknowledgedIds = new Set([...acknowledged[name], ...(acknowledge?.papers ?? [])].map(canonical))
    const brief = await saveNextBrief(
      databases[turn++ % databases.length]!,
      accountId,
      { consumer: name, projectIds: [projectId] },
      { acknowledge: acknowledge?.id, limit, now: new Date() },
      // So few that a call takes several steps.
      { items: 3, itemsOfFeed: 1 }
    )
    if (typeof brief === 'string' || Array.isArray(brief)) throw new Error(String(brief))
    if (acknowledge !== undefined) {
      for (const paper of acknowledge.papers) acknowledged[name].add(paper)
      last[name] = acknowledge.id
    }
    for (const { id } of brief.items) {
      if (acknowledgedIds.has(id)) throw new Error(`${name} was delivered ${id} again`)
      delivered[name].add(id)
    }
    open[name] = { id: brief.id, papers: brief.items.map(({ id }) => id) }
    return brief
  }
  /** A consumer makes one call after another. */
  const inOrder = async (name: Consumer, call: () => Promise<unknown>) => {
    const done = (reading.get(name) ?? Promise.resolve()).then(call)
    reading.set(name, done.catch(() => {}))
    await done
  }

  const actions: { [K in Step['kind']]: (step: Extract<Step, { kind: K }>) => Promise<unknown> } = {
    arrive: async ({ papers: number }) =>
      await addPapers(
        user.context,
        projectId,
        Array.from({ length: number }, () => ({ title: `Paper ${++papers}` }))
      ),
    // An answer that is lost on its way is never acknowledged.
    read: async ({ consumer: name, limit }) => await inOrder(name, async () => await next(name, limit)),
    acknowledge: async ({ consumer: name, limit }) => await inOrder(name, async () => await next(name, limit, open[name])),
    'acknowledge again': async ({ consumer: name }) => await inOrder(name, async () => {
      if (last[name] !== undefined) await next(name, 1, { id: last[name], papers: [] })
    }),
    rescore: async ({ nth: position, score }) => {
      const item = await pick(position)
      if (item !== undefined) {
        await replaceScores(db, accountId, projectId, [
          {
            id: item.id,
            relevance_score: score,
            relevance_class: 'related',
            matching_details: {},
            personalized_note: null
          } as unknown as Parameters<typeof replaceScores>[3][number]
        ])
      }
    },
    vote: async ({ nth: position }) => {
      const item = await pick(position)
      const vote = { vote: 'star' as const, downvote_reason: null, updated_at: new Date().toISOString() }
      if (item !== undefined) await setFeedback(db, accountId, item.id, vote, { at: new Date(), latest: new Date() }).catch(() => {})
    },
    'leave and return': async ({ nth: position }) => {
      const item = await pick(position)
      if (item === undefined) return
      await db.updateTable('project_paper').set({ origin: 'fetch' }).where('id', '=', item.id).execute()
      if ((await demoteItems(db, accountId, projectId, [item.id], new Date())) === 0) return
      await promoteCandidates(db, accountId, projectId, [
        {
          project_id: projectId,
          paper_id: item.paper_id,
          summary: null,
          relevance_score: 0.5,
          relevance_class: 'related',
          ready_at: new Date()
        }
      ]).catch(() => {})
    },
    delete: async ({ nth: position }) => {
      const item = await pick(position)
      if (item !== undefined) await db.deleteFrom('project_paper').where('id', '=', item.id).execute()
    },
    merge: async ({ nth: position, other }) => {
      const [kept, duplicate] = [await pick(position), await pick(other)]
      if (kept === undefined || duplicate === undefined || kept.paper_id === duplicate.paper_id) return
      const merged = await retryConflicts(() =>
        db.transaction().execute(async transaction => {
          const both = await transaction
            .selectFrom('paper')
            .select('id')
            .where('id', 'in', [kept.paper_id, duplicate.paper_id])
            .orderBy('id')
            .forUpdate()
            .execute()
          if (both.length === 2) await mergePapers(transaction, kept.paper_id, duplicate.paper_id)
          return both.length === 2
        })
      )
      if (merged) mergedInto.set(duplicate.paper_id, kept.paper_id)
    }
  }

  return {
    run: async (each: Step) => { await (actions[each.kind] as (step: Step) => Promise<unknown>)(each) },
    /** Reads and acknowledges until nothing remains. */
    drain: async () => {
      for (const name of consumers) while ((await next(name, 5, open[name])).items.length > 0);
    },
    state: async () => ({
      feed: (await items()).map(({ paper_id }) => paper_id),
      delivered: Object.fromEntries(consumers.map(name => [name, new Set([...delivered[name]].map(canonical))])) as typeof delivered
    })
  }
}

t.test('a paper that is merged while a brief is read is delivered', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [])
  await addPapers(user.context, project_id, [{ title: 'The best one' }, { title: 'The same work' }])
  const request = { limit: 1, now: new Date() }
  const reader = (name: string) => ({ consumer: namedConsumer(name), projectIds: [project_id] })
  const { items: [best] } = await saveNextBrief(db, account.id, reader('other'), request) as SavedBrief
  const papers = await db.selectFrom('paper').select(['id', 'title']).execute()
  const duplicate = papers.find(({ title }) => title === best!.title)!
  const kept = papers.find(paper => paper !== duplicate)!
  const merging = mergingOnce(db, kept.id, duplicate.id)
  const brief = await saveNextBrief(merging, account.id, reader('agent'), request) as SavedBrief
  t.strictSame(brief.items.map(({ title }) => title), [kept.title])
  t.match(await saveNextBrief(db, account.id, reader('agent'), { ...request, acknowledge: brief.id }), { items: { length: 0 } })
})

t.test('a paper that becomes an acknowledged one while a brief is read is not delivered again', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [{ title: 'Acknowledged' }])
  const request = { limit: 1, now: new Date() }
  const reader = { consumer: namedConsumer('agent'), projectIds: [project_id] }
  const { id: acknowledge, items: [kept] } = await saveNextBrief(db, account.id, reader, request) as SavedBrief
  t.match(await saveNextBrief(db, account.id, reader, { ...request, acknowledge }), { items: { length: 0 } })
  await addPapers(user.context, project_id, [{ title: 'The same work' }])
  const duplicate = await db.selectFrom('project_paper').select(['id', 'paper_id']).where('paper_id', '<>', kept!.id)
    .executeTakeFirstOrThrow()
  // Of two items, the one with a vote remains.
  const vote = { vote: 'star' as const, downvote_reason: null, updated_at: new Date().toISOString() }
  await setFeedback(db, account.id, duplicate.id, vote, { at: new Date(), latest: new Date() })
  const merging = mergingOnce(db, kept!.id, duplicate.paper_id)
  t.match(await saveNextBrief(merging, account.id, reader, request), { items: { length: 0 } })
  t.match(await db.selectFrom('project_paper').select(['id', 'paper_id']).execute(), [{ id: duplicate.id, paper_id: kept!.id }])
})

t.test('an item whose score falls while a brief is read is in it once', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }])
  const items = await db.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'title']).orderBy('title').execute()
  const setScore = async (id: string, relevance_score: number) =>
    await db.updateTable('project_paper').set({ relevance_score }).where('id', '=', id).execute()
  for (const [place, { id }] of items.entries()) await setScore(id, 0.9 - place / 10)
  const rescoring = afterTransaction(db, result => result.scan !== undefined, async () => await setScore(items[0]!.id, 0.1))
  const reader = { consumer: namedConsumer('agent'), projectIds: [project_id] }
  const brief = await saveNextBrief(rescoring, account.id, reader, { limit: 4, now: new Date() }, { items: 1, itemsOfFeed: 1 })
  t.strictSame((brief as SavedBrief).items.map(({ title }) => title), ['Second', 'Third', 'First'])
})

/** Merges two papers after the transaction that chose a brief. */
const mergingOnce = (db: Db, keptId: string, duplicateId: string): Db =>
  afterTransaction(db, result => Object.hasOwn(result, 'remaining'), async () =>
    await db.transaction().execute(async transaction => { await mergePapers(transaction, keptId, duplicateId) }))

/** Makes a change after the first transaction with such a result. */
function afterTransaction (db: Db, isDue: (result: { scan?: unknown }) => boolean, change: () => Promise<unknown>): Db {
  let isMade = false
  return new Proxy(db, {
    get (target, name) {
      const value = Reflect.get(target, name, target) as unknown
      if (typeof value !== 'function') return value
      if (name !== 'transaction') return value.bind(target) as unknown
      return () => ({
        execute: async <T extends object>(run: (transaction: Db) => Promise<T>) => {
          const result = await target.transaction().execute(run)
          if (!isMade && isDue(result)) {
            isMade = true
            await change()
          }
          return result
        }
      })
    }
  })
}
