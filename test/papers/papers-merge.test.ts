import t from 'tap'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { SerializationConflict } from '../../db/errors.js'
import type { Db } from '../../db/connection.js'
import { addItems, runImportBatch } from '../../db/queries/import.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemOf } from '../../src/papers/feed-item.js'
import { scorer } from '../../src/relevance/score.js'
import { projectWith, record, testService, type TestUser } from '../support/service.js'
import { readUpload, storeUpload } from '../support/uploads.js'
import { until } from '../support/until.js'

const { context: { db, installation: { databaseKind } }, user } = await testService(t)

t.test('merged papers', async t => {
  const [one, other] = [await user(), await user()]
  const inFeed = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id })).items
  const pair = async () => {
    const titles = ['Kept', 'Gone'].map(title => `${title} ${randomUUID()}`)
    const project_id = await projectWith(one, titles.map(title => ({ title })))
    const items = await inFeed(one, project_id)
    const [kept, gone] = titles.map(title => items.find(({ paper_title }) => paper_title === title)!)
    return { project_id, kept: { item: kept!.id, paper: kept!.paper.id }, gone: { item: gone!.id, paper: gone!.paper.id } }
  }
  type Pair = Awaited<ReturnType<typeof pair>>
  const merge = async ({ kept, gone }: Pair) =>
    await db.transaction().execute(async transaction => await mergePapers(transaction, kept.paper, gone.paper))
  const isWaiting = async (transaction: Db) =>
    (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(transaction))
      .rows.length > 0
  /** Begins the merge in the middle of a transaction, which ends when the merge waits for it. */
  const during = async (papers: Pair, run: (transaction: Db) => Promise<unknown>) => {
    let merging: Promise<unknown> | undefined
    await db.transaction().execute(async transaction => {
      await run(transaction)
      merging = merge(papers)
      // The embedded database has one transaction at a time.
      await until(async () => databaseKind === 'embedded' || await isWaiting(transaction))
    })
    await merging
  }

  await t.test('keep concurrent additions to the other paper', async t => {
    const papers = await pair()
    const theirs = await projectWith(other, [])
    const paper = record({ title: 'Gone' })
    const relevance = scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })(paper)
    await during(
      papers,
      async transaction =>
        await addItems(transaction, [
          itemOf({ id: papers.gone.paper, record: paper }, { projectId: theirs, relevance, readyAt: new Date(), origin: 'import' })
        ])
    )
    t.match(await inFeed(other, theirs), [{ paper: { id: papers.kept.paper } }])
  })

  await t.test('keep a concurrent vote', async t => {
    const papers = await pair()
    await during(
      papers,
      async transaction =>
        await transaction
          .updateTable('project_paper')
          .set({ vote: 'star', voted_at: new Date() })
          .where('id', '=', papers.gone.item)
          .execute()
    )
    t.match(await inFeed(one, papers.project_id), [{ feedback: { vote: 'star' } }])
  })

  await t.test('stay as an imported paper does, and are removed with an import only if it added both', async t => {
    const importOf = async ({ project_id }: Pair) => (await db.insertInto('library_import')
      .values({ account_id: one.context.account.id, project_id, file_name: 'a.ris', vote: null, created_at: new Date() } as never)
      .returning('id').executeTakeFirstOrThrow()).id
    for (const [kept, gone, expected] of [
      [{ origin: 'fetch' }, { origin: 'import' }, { origin: 'import', isOfImport: false }],
      [{ origin: 'import' }, { origin: 'fetch' }, { origin: 'import', isOfImport: false }],
      [{ origin: 'fetch' }, { origin: 'fetch' }, { origin: 'fetch', isOfImport: false }],
      [{ origin: 'fetch' }, { origin: 'import', isImported: true }, { origin: 'import', isOfImport: false }],
      [{ origin: 'import', isImported: true }, { origin: 'fetch' }, { origin: 'import', isOfImport: false }],
      [{ origin: 'import', isImported: true }, { origin: 'import', isImported: true }, { origin: 'import', isOfImport: true }]
    ] as const) {
      const papers = await pair()
      const id = await importOf(papers)
      for (const [which, values] of [['kept', kept], ['gone', gone]] as const) {
        await db.updateTable('project_paper').set({ origin: values.origin, import_id: 'isImported' in values ? id : null })
          .where('id', '=', papers[which].item).execute()
      }
      await merge(papers)
      const items = db.selectFrom('project_paper').select(['origin', 'import_id']).where('project_id', '=', papers.project_id)
      const { origin, isOfImport } = expected
      t.strictSame(await items.execute(), [{ origin, import_id: isOfImport ? id : null }], JSON.stringify([kept, gone]))
    }
  })

  await t.test('are of the own library if either is', async t => {
    for (const own of ['kept', 'gone'] as const) {
      for (const origin of ['import', 'fetch'] as const) {
        const papers = await pair()
        await db.updateTable('project_paper').set({ origin }).where('project_id', '=', papers.project_id).execute()
        await db.updateTable('project_paper').set({ origin: 'import', own_library: true }).where('id', '=', papers[own].item).execute()
        await merge(papers)
        const items = db.selectFrom('project_paper').select('own_library').where('project_id', '=', papers.project_id)
        t.strictSame(await items.execute(), [{ own_library: true }], `${own}, ${origin}`)
      }
    }
  })

  await t.test('keep a star beside a later upvote, but not beside a later downvote', async t => {
    for (const [vote, expected] of [['upvote', 'star'], ['downvote', 'downvote']] as const) {
      for (const starred of ['kept', 'gone'] as const) {
        const papers = await pair()
        const [earlier, later] = [new Date('2026-11-01T08:00:00Z'), new Date('2026-11-02T08:00:00Z')]
        await db.updateTable('project_paper').set({ vote, voted_at: later }).where('project_id', '=', papers.project_id).execute()
        await db.updateTable('project_paper').set({ vote: 'star', voted_at: earlier }).where('id', '=', papers[starred].item).execute()
        await merge(papers)
        const items = db.selectFrom('project_paper').select(['vote', 'voted_at']).where('project_id', '=', papers.project_id)
        t.strictSame(await items.execute(), [{ vote: expected, voted_at: later }], `${starred} was starred`)
      }
    }
  })

  await t.test('have the feed rescored if a vote goes', async t => {
    for (const voted of [['gone'], ['kept', 'gone']] as const) {
      const papers = await pair()
      for (const which of voted) {
        await db.updateTable('project_paper').set({ vote: 'upvote', voted_at: new Date() }).where('id', '=', papers[which].item).execute()
      }
      await db.updateTable('project').set({ scoring_due_at: null }).where('id', '=', papers.project_id).execute()
      await merge(papers)
      const project = db.selectFrom('project').select('scoring_due_at').where('id', '=', papers.project_id)
      t.equal((await project.executeTakeFirstOrThrow()).scoring_due_at !== null, voted.length === 2)
    }
  })

  await t.test('keep the time of the first of all votes', async t => {
    const papers = await pair()
    for (const [which, day] of [['gone', 1], ['kept', 2]] as const) {
      const values = { vote: 'upvote', voted_at: new Date(day + 2), rated_at: new Date(day), rated_weight: day / 4 } as const
      await db.updateTable('project_paper').set(values).where('id', '=', papers[which].item).execute()
    }
    await merge(papers)
    const items = await db.selectFrom('project_paper').select(['voted_at', 'rated_at', 'rated_weight'])
      .where('project_id', '=', papers.project_id).execute()
    t.strictSame(items, [{ voted_at: new Date(4), rated_at: new Date(1), rated_weight: 0.25 }])
  })

  await t.test('keep a vote rather than a later one of an import, whose time is that of no rating', async t => {
    for (const [imported, own] of [['gone', 'kept'], ['kept', 'gone']] as const) {
      const papers = await pair()
      const ofImport = { vote: 'upvote', voted_at: new Date(2), vote_import_id: randomUUID() } as const
      await db.updateTable('project_paper').set(ofImport).where('id', '=', papers[imported].item).execute()
      await db.updateTable('project_paper').set({ vote: 'downvote', voted_at: new Date(1) }).where('id', '=', papers[own].item).execute()
      await merge(papers)
      const items = await db.selectFrom('project_paper').select(['vote', 'vote_import_id', 'rated_at'])
        .where('project_id', '=', papers.project_id).execute()
      t.strictSame(items, [{ vote: 'downvote', vote_import_id: null, rated_at: new Date(1) }])
    }
    const papers = await pair()
    await db.updateTable('project_paper').set({ vote: 'upvote', voted_at: new Date(2), vote_import_id: randomUUID() })
      .where('id', '=', papers.gone.item).execute()
    await merge(papers)
    const items = await db.selectFrom('project_paper').select(['vote', 'rated_at']).where('project_id', '=', papers.project_id).execute()
    t.strictSame(items, [{ vote: 'upvote', rated_at: null }])
  })

  await t.test('keep the later of two uploads', async t => {
    for (const [first, second] of [['kept', 'gone'], ['gone', 'kept']] as const) {
      const papers = await pair()
      for (const [at, which] of [first, second].entries()) {
        await storeUpload(db, { account_id: one.context.account.id, paper_id: papers[which].paper, bytes: Buffer.from(which) })
        await db.updateTable('pdf_upload').set({ created_at: new Date(at + 1) }).where('paper_id', '=', papers[which].paper).execute()
      }
      await merge(papers)
      t.equal((await readUpload(db, one.context.account.id, papers.kept.paper))?.toString(), second)
    }
  })

  await t.test('are not delivered twice', async t => {
    const papers = await pair()
    await alertCreate.run(one.context, { project_id: papers.project_id, kind: 'webhook', target: 'https://hooks.example.org/a' })
    const { id: alert_id } = await db.selectFrom('alert').select('id').executeTakeFirstOrThrow()
    for (const [paper_id, sent_at] of [
      [papers.kept.paper, null],
      [papers.gone.paper, new Date(0)]
    ] as const) { await db.insertInto('alert_item').values({ alert_id, paper_id, batch: randomUUID(), sent_at }).execute() }
    await merge(papers)
    t.match(await db.selectFrom('alert_item').selectAll().execute(), [{ paper_id: papers.kept.paper, sent_at: new Date(0) }])
  })
})

t.test('a rolled-back batch is retried', async t => {
  const { context } = await user()
  let tries = 0
  t.equal(await runImportBatch(db, context.account.id, async () => {
    if (++tries < 3) throw new SerializationConflict()
    return 'applied'
  }), 'applied')
})
