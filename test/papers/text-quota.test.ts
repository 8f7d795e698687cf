import { Migrator, sql } from 'kysely'
import t from 'tap'
import { migrate } from '../../db/migrate.js'
import { migrations } from '../../db/migrations/index.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { compactTally, countTextBytes } from '../../db/queries/tally.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemAmend } from '../../src/operations/feed/item-amend.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { projectDelete } from '../../src/operations/projects/project-delete.js'
import { reserveTexts } from '../../src/papers/paper-quota.js'
import { addPapers, projectWith, testService } from '../support/service.js'
import { migrationDatabase } from '../support/migrations.js'

const mebibyte = 2 ** 20

t.test('tags and notes of an account have limited bytes', async t => {
  const service = await testService(t, { MAX_PAPERS: '300' })
  const [user, other] = [await service.user(), await service.user()]
  const { context: { db, account }, context } = user
  const project_id = await projectWith(user, [{ title: 'First' }, { title: 'Second' }, { title: 'Third' }])
  const [first, second, third] = (await feedGet.run(context, { project_id })).items
  const bytes = async () => await countTextBytes(db, account.id)
  const note = async (ref: string, note: string) => await itemUpdate.run(context, { ref, note })
  /** Has other notes of the account take all but some bytes. */
  const fill = async (free: number) => {
    const change = 50 * mebibyte - free - await bytes()
    await sql`insert into feed_tally (project_id, measure, value, change) values (${project_id}, 'text', 'bytes', ${change})`.execute(db)
    // A refusal counts again.
    const [stored, changed] = [0, 60 * mebibyte].map(length => ({ tags: [], note: 'n'.repeat(length) }))
    await t.rejects(reserveTexts(db, account.id, { stored: stored!, changed: changed!, maxPapers: 300 }), { code: 'quota_exceeded' })
  }

  await t.test('which are counted with every change', async t => {
    t.equal(await bytes(), 0)
    await note(first!.id, 'Größe')
    t.equal(await bytes(), 7)
    await itemUpdate.run(context, { ref: second!.id, tags: ['to cite', 'für'], note: 'é'.repeat(10_000) })
    t.equal(await bytes(), 7 + 11 + 20_000)
    await itemUpdate.run(context, { ref: second!.id, seen: true, saved: true })
    t.equal(await bytes(), 7 + 11 + 20_000, 'other changes count nothing')
    await itemAmend.run(context, { ref: second!.id, removed_tags: ['to cite'], note: '' })
    t.equal(await bytes(), 7 + 4)
    await compactTally(db, project_id)
    t.equal(await bytes(), 7 + 4)
    t.equal(await countTextBytes(db, other.context.account.id), 0)
  })

  await t.test('beyond which nothing grows, and everything may shrink', async t => {
    const isFull = {
      code: 'quota_exceeded',
      status: 413,
      message: /notes and tags can have at most 50 MiB together.*Shorten or delete notes, or ask the operator to raise MAX_PAPERS/,
      userMessage: /ask your administrator/
    }
    await fill(100)
    await note(first!.id, 'n'.repeat(60))
    await t.rejects(note(third!.id, 'n'.repeat(60)), isFull)
    await t.rejects(itemAmend.run(context, { ref: third!.id, note: 'n'.repeat(60) }), isFull)
    await t.rejects(itemUpdate.run(context, { ref: third!.id, tags: ['a tag of many characters', 'and another one of as many'] }), isFull)
    await itemUpdate.run(context, { ref: third!.id, saved: true })
    await note(first!.id, 'm'.repeat(50))
    await note(first!.id, '')
    await note(third!.id, 'n'.repeat(60))
    await itemUpdate.run(other.context, {
      ref: (await feedGet.run(other.context, { project_id: await projectWith(other, [{ title: 'Theirs' }]) })).items[0]!.id,
      note: 'n'.repeat(1000)
    })
  })

  await t.test('which do not hold up merges and imports', async t => {
    await note(third!.id, 'Third.')
    await fill(10)
    await note(second!.id, 'Second.')
    const before = await bytes()
    await db.transaction().execute(async transaction => await mergePapers(transaction, second!.paper.id, third!.paper.id))
    t.match((await feedGet.run(context, { project_id })).items.map(({ note }) => note).sort(), ['Second.\n\nThird.'])
    t.equal(await bytes(), before + 2)
    t.match(await addPapers(context, project_id, [{ title: 'Fourth' }]), { created: 1 })
  })

  await t.test('until their project is deleted', async t => {
    await projectDelete.run(context, { project_id })
    t.equal(await bytes(), 0)
  })
})

t.test('tags and notes of earlier versions are counted', async t => {
  const { db, empty } = await migrationDatabase(t)
  await empty()
  const older = Object.fromEntries(Object.entries(migrations).filter(([name]) => name < '2027-02-21-item-texts'))
  await new Migrator({ db, provider: { getMigrations: async () => older } }).migrateToLatest()
  await sql`
    with owner as (insert into account (email, password_hash) values ('owner@example.org', '') returning id),
      made as (insert into project (account_id, name) select id, 'Old' from owner returning id),
      papers as (insert into paper (slug, title, authors, source_name, metadata, title_key)
        select 'old' || at, 'Old', '[]', 'x', '{}', 'old' || at from generate_series(1, 3) at returning id)
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, note, tags, tag_keys)
      select made.id, papers.id, 0, 'related', 'Größe', '{tag}', '{tag}' from made, papers`.execute(db)
  await migrate(db)
  const { id } = await db.selectFrom('account').select('id').executeTakeFirstOrThrow()
  t.equal(await countTextBytes(db, id), 30)
})
