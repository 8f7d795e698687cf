import t from 'tap'
import { type KyselyPlugin, sql } from 'kysely'
import { SerializationConflict } from '../../db/errors.js'
import { markCited } from '../../db/queries/notices.js'
import { countWaiting } from '../support/locks.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainUpdates } from '../support/plans.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { until } from '../support/until.js'

t.test('a paper in two projects is cited', async t => {
  const { user: newUser, context: { db, installation: { databaseKind } } } = await testService(t)
  const user = await newUser()
  const { id: accountId } = user.context.account
  const first = await projectWith(user, [{ title: 'Cited', doi: '10.1000/cited' }])
  const second = await projectWith(user, [])
  await addPapers(user.context, second, [{ title: 'Cited', doi: '10.1000/cited' }])
  const listItems = async () => await db.selectFrom('project_paper').select(['id', 'paper_id', 'cited_at']).orderBy('id').execute()
  const items = await listItems()
  t.strictSame([items.length, new Set(items.map(({ paper_id }) => paper_id)).size, first === second], [2, 1, false])
  const paperId = items[0]!.paper_id
  const cite = async (recorded = db) => await markCited(recorded, accountId, paperId, null, new Date())
  const isCited = async () => (await listItems()).map(({ cited_at }) => cited_at !== null)
  const reset = async () => await db.updateTable('project_paper').set({ cited_at: null }).execute()

  await t.test('again after conflicts with other changes', async t => {
    let conflicts = 2
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        if (conflicts-- > 0) throw new SerializationConflict()
        return result
      }
    }
    await cite(db.withPlugin(plugin))
    t.equal(conflicts, -1)
    t.strictSame(await isCited(), [true, true])
  })

  await t.test('beside a change of the same items in another order', { skip: databaseKind === 'embedded' }, async t => {
    // In one of both orders, each waits for the other.
    for (const [one, other] of [[items[0]!, items[1]!], [items[1]!, items[0]!]] as const) {
      await reset()
      let citing: Promise<unknown> | undefined
      await db.transaction().execute(async transaction => {
        const change = async (id: string) =>
          await transaction.updateTable('project_paper').set({ note: 'changed' }).where('id', '=', id).execute()
        await change(one.id)
        citing = cite()
        await until(async () => await countWaiting(db) === 1)
        await change(other.id)
      }).catch((error: unknown) => { if (!(error instanceof SerializationConflict)) throw error })
      await citing
      t.strictSame(await isCited(), [true, true])
    }
  })
})

t.test('a paper in very many projects is marked as cited in batches', async t => {
  const { context: { db, account } } = await (await testService(t)).user()
  await sql`
    with numbered as (${numberedPapers(account.id, 2)}), created as (
      insert into project (account_id, name) select ${account.id}, 'Project ' || n from generate_series(1, 60) n returning id
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select created.id, numbered.id, 1, 'related', now() from numbered, created`.execute(db)
  const { paper_id: paperId } = await db.selectFrom('project_paper').select('paper_id').limit(1).executeTakeFirstOrThrow()
  const now = new Date('2027-01-01T00:00:00Z')
  const statements = await explainUpdates(db, async recorded => { await markCited(recorded, account.id, paperId, null, now) })
  t.equal(statements.length, 3)
  const cited = await db.selectFrom('project_paper').select(['paper_id', 'cited_at']).where('cited_at', 'is not', null).execute()
  t.equal(cited.length, 60)
  t.ok(cited.every(item => item.paper_id === paperId))
})
