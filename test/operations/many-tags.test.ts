import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { feedTags } from '../../src/operations/feed/feed-tags.js'
import { countTagSpellings } from '../../src/papers/tag-spellings.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 7000
/** Rows that a step of a plan may pass on: items of a slice, in both of its ranges. */
const maxRows = 2 * 2000

t.test('the tags of thousands of papers', { timeout: 240_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context, context: { db, account } } = user
  const large = await projectWith(user, [])
  const small = await projectWith(user, [])
  const empty = await projectWith(user, [])
  // Half of the papers came at once. The key of a tag is another for other spellings.
  await sql`
    with papers as (${numberedPapers(account.id, paperCount)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, tags, tag_keys)
    select item.project_id, id, 0, 'related', timestamptz '2026-01-01' + case when n % 2 = 0 then n else 0 end * interval '1 s',
      array['Tag ' || n % 60, ${'\u{1F600}'} || n % 3, ${'\uFF21'} || n % 3, 'own ' || n],
      array['tag ' || n % 60, ${'\u{1F600}'} || n % 3, 'a' || n % 3, 'own ' || n]
    from papers join (values (${large}::uuid, 1), (${small}::uuid, 7)) as item (project_id, part) on n % part = 0
    where n % 10 > 0`.execute(db)
  const inOneStatement = async (projectIds: string[]) => (await sql`
    select tag, key, count(*)::integer as papers, (count(*) filter (where project_id = ${small}))::integer as papers_within
    from project_paper cross join lateral unnest(tags, tag_keys) as tagged (tag, key) where project_id = any(${projectIds}::uuid[])
    group by key, tag order by papers desc, tag collate "C" limit 1000`.execute(db)).rows

  const areCounted = async (t: Test, projectIds: string[] | null) =>
    t.strictSame(
      (await countTagSpellings(db, account.id, projectIds, 1000, small)).map(({ tag, key, papers, papers_within }) =>
        ({ tag, key, papers, papers_within })),
      await inOneStatement(projectIds ?? [large, small]))
  await t.test('are counted as one statement counts them, most used first', async t => {
    for (const projectIds of [null, [large], [small], [empty]]) await areCounted(t, projectIds)
  })

  await t.test('of all and of one feed are listed', async t => {
    const { items, known } = await feedTags.run(context, { project_id: small })
    t.match(items[0], { papers: 300 })
    t.equal(known.length, 1000)
    t.strictSame(await countTagSpellings(db, (await service.user()).context.account.id, [large], 10), [])
  })

  const readSlices = async (t: Test) => {
    const statements = await explainSelects(db, recorded => countTagSpellings(recorded, account.id, null, 1000, small))
    const read = statements.map(({ rows }) => rows)
    t.ok(Math.max(...read) <= maxRows, `${read.join(', ')} rows`)
  }
  await t.test('are read in slices before the database has statistics', readSlices)
  await t.test('are read in slices', async t => {
    await sql`vacuum analyze`.execute(db)
    await readSlices(t)
  })

  await t.test('beyond 50,000 are not read', async t => {
    await sql`update project_paper set tags = array(select 'T' || n from generate_series(1, 10) n),
      tag_keys = array(select 't' || n from generate_series(1, 10) n)`.execute(db)
    const spellings = await countTagSpellings(db, account.id, null, 1000)
    t.strictSame(spellings.map(({ papers }) => papers), Array.from({ length: 10 }, () => 5000))
  })
})
