import t, { type Test } from 'tap'
import { sql } from 'kysely'
import { type NoticeFilter, listNoticedPapers } from '../../db/queries/noticed-papers.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const paperCount = 3000
/** Rows that a step of a plan may pass on: a slice of both ranges. */
const maxRows = 1000
const day = (number: number) => new Date(Date.UTC(2026, 0, number))

t.test('the papers with notices among thousands', { timeout: 240_000 }, async t => {
  const { user: newUser, context: { db } } = await testService(t)
  const user = await newUser()
  const { id: accountId } = user.context.account
  const large = await projectWith(user, [])
  const small = await projectWith(user, [])
  // One check finds 1,500 papers at once. Some papers have left the feeds since, and one in five has two notices.
  await sql`
    with papers as (${numberedPapers(accountId, paperCount)}), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote)
      select case when n % 40 = 0 then ${small}::uuid else ${large}::uuid end, id, 0, 'related', ${day(1)}, 'upvote'
      from papers where n % 7 > 0
    ), stated as (
      insert into paper_notice (paper_id, source, kind, reference, first_seen_at, withdrawn_at)
      select id, 'crossref', kind, '', ${day(1)}, case when n % 50 = 3 then ${day(1)}::timestamptz + n % 90 * interval '1 day' end
      from papers cross join (values ('correction'), ('retraction')) as kinds (kind) where kind = 'correction' or n % 5 = 0
      returning id, paper_id, kind
    )
    insert into account_notice (account_id, notice_id, found_at, is_warning)
    select ${accountId}, stated.id, case when n between 1000 and 2499 and kind = 'correction' then ${day(40)}::timestamptz
        else ${day(1)}::timestamptz + n * 7919 % 1009 * interval '2 hours' end, kind = 'retraction'
    from stated join papers on papers.id = stated.paper_id`.execute(db)
  const { rows: notices } = await sql<{ paper_id: string, found_at: Date, withdrawn_at: Date | null, project_id: string }>`
    select paper_notice.paper_id, found_at, withdrawn_at, project_id from account_notice join paper_notice on paper_notice.id = notice_id
    join project_paper on project_paper.paper_id = paper_notice.paper_id`.execute(db)
  const expected = ({ projectIds, since, withdrawn }: NoticeFilter): string[] => {
    const newest = new Map<string, number>()
    for (const { paper_id, found_at, withdrawn_at, project_id } of notices) {
      const isRecent = since === undefined || found_at >= since || (withdrawn === 'since' && withdrawn_at !== null && withdrawn_at >= since)
      if (!isRecent || (withdrawn === false && withdrawn_at !== null) || (projectIds !== null && !projectIds.includes(project_id))) continue
      newest.set(paper_id, Math.max(newest.get(paper_id) ?? 0, found_at.getTime()))
    }
    return [...newest].sort(([a, foundA], [b, foundB]) => foundB - foundA || (a < b ? -1 : 1)).map(([id]) => id)
  }
  const listIds = async (filter: NoticeFilter, limit: number, offset: number) =>
    (await listNoticedPapers(db, accountId, filter, { limit, offset })).map(({ id }) => id)

  await t.test('are listed once each, last found first, as the filters ask', async t => {
    for (const projectIds of [null, [small], []]) {
      for (const since of [undefined, day(40), day(84)]) {
        for (const withdrawn of [false, true, 'since'] as const) {
          const filter = { projectIds, since, withdrawn }
          const all = expected(filter)
          t.equal((await listIds(filter, 10_000, 0)).join(), all.join(), `${all.length} of ${JSON.stringify(filter)}`)
        }
      }
    }
  })

  await t.test('are the same page by page', async t => {
    for (const filter of [{ projectIds: null, withdrawn: false }, { projectIds: null, since: day(60), withdrawn: 'since' }] as const) {
      const all = expected(filter)
      for (const offset of [0, 10, 490, 1400, all.length - 5, all.length, 5000]) {
        t.strictSame(await listIds(filter, 100, offset), all.slice(offset, offset + 100), `from ${offset}`)
      }
    }
  })

  const readSlices = async (t: Test) => {
    for (const filter of [
      { projectIds: null, withdrawn: true },
      { projectIds: [small], withdrawn: false },
      { projectIds: null, since: day(84), withdrawn: 'since' }
    ] as const) {
      const statements = await explainSelects(db, recorded => listNoticedPapers(recorded, accountId, filter, { limit: 20, offset: 1000 }))
      const read = statements.map(({ rows }) => rows)
      t.ok(Math.max(...read) <= maxRows, `${JSON.stringify(filter)}: ${read.join(', ')} rows`)
    }
    const { length } = await explainSelects(db, recorded =>
      listNoticedPapers(recorded, accountId, { projectIds: null, withdrawn: true }, { limit: 20, offset: 0 }))
    t.equal(length, 2, 'a slice and its papers for the first page')
  }
  await t.test('are read in slices before the database has statistics', readSlices)
  await t.test('are read in slices', async t => {
    await sql`vacuum analyze`.execute(db)
    await readSlices(t)
  })
})
