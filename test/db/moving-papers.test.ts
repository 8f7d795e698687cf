import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { addCandidates, demoteItems, promoteCandidates } from '../../db/queries/candidates.js'
import { addItems } from '../../db/queries/import.js'
import { listKeptItems, walkFetchedItems } from '../../db/queries/fetched-items.js'
import { findFirstUnselected, type MovingPaper, type WeeklySelection, walkMovingPapers } from '../../db/queries/weekly-selection.js'
import { dayMs } from '../../schemas/durations.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects, explainUpdates } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const itemCount = 3000
/** Rows that a step of a plan may pass on: a slice of both ranges. */
const maxRows = 1000
const monday = new Date('2026-01-05')

t.test('the best papers of a week with thousands', { timeout: 240_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { sources: [] })
  const { id: brief } = await db.insertInto('brief').values({ account_id: account.id, consumer: 'weekly', created_at: new Date() })
    .returning('id').executeTakeFirstOrThrow()
  const { id: alert } = await db.insertInto('alert').values({
    project_id, kind: 'email', target: 'a@example.org', frequency: 'daily', created_at: new Date(), next_send_at: new Date()
  }).returning('id').executeTakeFirstOrThrow()
  // Scores and times have many ties, an import has thousands of the same time, and two weeks have neighbors.
  await sql`
    with papers as (${numberedPapers(account.id, 3 * itemCount)}), found as (
      select id, n, (n * 7919 % 13) / 20.0 as score,
        case when n % 3 = 0 then ${monday}::timestamptz + interval '1 day'
          else ${monday}::timestamptz - interval '12 hours' + n * 7907 % 192 * interval '1 hour' end as time
      from papers
    ), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, origin, seen_at, vote, voted_at, saved,
        tags, tag_keys, note)
      select ${project_id}, id, score, 'related', time, case when n > ${itemCount} then 'import' else 'fetch' end,
        case when n % 101 = 0 then time end, case when n % 103 = 0 then 'downvote' end, case when n % 103 = 0 then time end, n % 107 = 0,
        case when n % 109 = 0 then '{a}'::text[] else '{}' end, case when n % 109 = 0 then '{a}'::text[] else '{}' end,
        case when n % 113 = 0 then 'Note' end
      from found where n <= ${2 * itemCount}
    ), alerted as (
      insert into alert_item (alert_id, paper_id, batch) select ${alert}, id, ${alert} from found where n <= ${itemCount} and n % 97 = 0
    ), listed as (
      insert into brief_item (brief_id, project_id, paper_id)
      select ${brief}, ${project_id}, id from found where n <= ${itemCount} and n % 89 = 0
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, score, time from found where n > ${2 * itemCount}`.execute(db)
  await sql`delete from search_pending`.execute(db)

  /** The same in one statement. */
  const rank = async ({ limit, minScore, keepsSeen }: Omit<WeeklySelection, 'monday'>) => {
    const nextMonday = new Date(monday.getTime() + 7 * dayMs)
    const { rows } = await sql<MovingPaper>`
      with competing as (
        select id as item_id, paper_id, relevance_score, ready_at as found_at,
          vote is not null or saved or tags <> '{}' or note is not null or (${keepsSeen} and (seen_at is not null
            or paper_id in (select paper_id from alert_item) or paper_id in (select paper_id from brief_item))) as is_kept
        from project_paper where origin = 'fetch' and ready_at >= ${monday} and ready_at < ${nextMonday}
        union all
        select null, paper_id, relevance_score, found_at, false from candidate
        where found_at >= ${monday} and found_at < ${nextMonday} and relevance_score >= ${minScore}
      ), ranked as (
        select *, row_number() over (order by is_kept desc, relevance_score desc, item_id is null, found_at, paper_id) as place
        from competing
      )
      select item_id, paper_id, title, relevance_score from ranked join paper on paper.id = paper_id
      where not is_kept and (item_id is null) = (place <= ${limit}) order by relevance_score desc, paper_id`.execute(db)
    return rows
  }
  const inOrder = (papers: readonly MovingPaper[]) =>
    [...papers].sort((a, b) => b.relevance_score - a.relevance_score || (a.paper_id < b.paper_id ? -1 : 1))

  await t.test('are those that one statement would choose', async t => {
    for (const limit of [1, 40, 150, 300, 1000]) {
      for (const minScore of [0, 0.3, 0.6]) {
        for (const keepsSeen of [true, false]) {
          const selection = { limit, minScore, keepsSeen }
          const moving: MovingPaper[] = []
          for await (const papers of walkMovingPapers(db, account.id, project_id, { ...selection, monday })) {
            t.strictSame(papers, inOrder(papers))
            moving.push(...papers)
          }
          const expected = await rank(selection)
          t.strictSame(inOrder(moving), expected, `${expected.length} of ${JSON.stringify(selection)}`)
        }
      }
    }
  })

  const readSlices = async (t: Test) => {
    await db.updateTable('project').set({ last_fetched_at: null }).execute()
    const walkAll = async (batches: AsyncIterable<unknown[]>) => { for await (const batch of batches) t.ok(batch.length > 0) }
    const reads: Record<string, (recorded: typeof db) => Promise<unknown>> = {
      listKeptItems: recorded => listKeptItems(recorded, account.id, project_id, new Date(0), 5000),
      walkFetchedItems: recorded => walkAll(walkFetchedItems(recorded, account.id, project_id, new Date(0), 100)),
      findFirstUnselected: recorded => findFirstUnselected(recorded, account.id, project_id)
    }
    for (const [limit, minScore, keepsSeen] of [[20, 0.1, true], [1000, 0, false], [1000, 0.6, true]] as const) {
      reads[`${limit} from ${minScore}`] = recorded =>
        walkAll(walkMovingPapers(recorded, account.id, project_id, { limit, minScore, monday, keepsSeen }))
    }
    for (const [name, read] of Object.entries(reads)) {
      const rows = (await explainSelects(db, read)).map(({ rows }) => rows)
      t.ok(Math.max(...rows) <= maxRows, `${name}: ${rows.join(', ')} rows`)
    }
  }
  await t.test('are read in slices before the database has statistics', readSlices)
  await t.test('are read in slices', async t => {
    await sql`vacuum analyze`.execute(db)
    await readSlices(t)
  })

  await t.test('leave while the week is read, unless they are kept meanwhile', async t => {
    const expected = (await rank({ limit: 150, minScore: 0.3, keepsSeen: true })).flatMap(({ item_id }) => item_id ?? [])
    const left: string[] = []
    const kept: string[] = []
    for await (const moving of walkMovingPapers(db, account.id, project_id, { limit: 150, minScore: 0.3, keepsSeen: true, monday })) {
      const leaving = moving.flatMap(({ item_id }) => item_id ?? [])
      left.push(...leaving)
      if (kept.length === 0) {
        kept.push(...leaving.slice(0, 4))
        const paperOf = (id: string | undefined) => sql`(select paper_id from project_paper where id = ${id})`
        await sql`update project_paper set vote = 'upvote', voted_at = now() where id = ${kept[0]}`.execute(db)
        await sql`update project_paper set seen_at = now() where id = ${kept[1]}`.execute(db)
        await sql`insert into alert_item (alert_id, paper_id, batch) values (${alert}, ${paperOf(kept[2])}, ${alert})`.execute(db)
        await sql`insert into brief_item (brief_id, project_id, paper_id) values (${brief}, ${project_id}, ${paperOf(kept[3])})`.execute(db)
      }
      await demoteItems(db, account.id, project_id, leaving, new Date(), { keepsSeen: true })
    }
    t.strictSame(left.sort(), expected.sort())
    const remaining = await db.selectFrom('project_paper').select('id').where('id', 'in', left).execute()
    t.strictSame(remaining.map(({ id }) => id).sort(), kept.sort())
  })
})

t.test('papers that return to a feed keep when they were seen, without an update of each', async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { sources: [] })
  const { rows: papers } = await sql<{ id: string }>`
    with papers as (${numberedPapers(account.id, 40)}) select id from papers order by n`.execute(db)
  const [early, late] = [new Date('2026-01-05'), new Date('2026-01-06')]
  await addCandidates(db, papers.map(({ id }, at) =>
    ({ project_id, paper_id: id, relevance_score: 0.5, found_at: early, seen_at: at % 2 === 0 ? early : null })))
  const { rows } = await sql<{ id: string, seen_at: Date | null }>`
    select paper_id as id, seen_at from candidate where project_id = ${project_id}`.execute(db)
  const former = new Map(rows.map(({ id, seen_at }) => [id, seen_at]))
  const items = papers.map(({ id }, at) => ({
    project_id,
    paper_id: id,
    relevance_score: 0.5,
    relevance_class: 'related' as const,
    ready_at: late,
    origin: 'fetch' as const,
    ...(at % 4 < 2 ? { seen_at: late } : {})
  }))
  const updates = await explainUpdates(db, async recorded => {
    t.equal(await promoteCandidates(recorded, account.id, project_id, items.slice(0, 20)), 20)
    await recorded.transaction().execute(async transaction => { await addItems(transaction, items.slice(20)) })
  })
  t.strictSame(updates.filter(({ sql }) => sql.includes('seen_at')), [])
  const seen = await db.selectFrom('project_paper').select(['paper_id', 'seen_at']).where('project_id', '=', project_id).execute()
  t.strictSame(new Map(seen.map(({ paper_id, seen_at }) => [paper_id, seen_at])),
    new Map(items.map(({ paper_id, ...item }) => [paper_id, former.get(paper_id) ?? ('seen_at' in item ? late : null)])))
  t.strictSame(await db.selectFrom('candidate').selectAll().execute(), [])
})
