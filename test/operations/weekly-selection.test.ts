import t from 'tap'
import { sql } from 'kysely'
import type { Db } from '../../db/connection.js'
import { type WeeklySelection, walkMovingPapers } from '../../db/queries/weekly-selection.js'
import { dayMs } from '../../schemas/durations.js'
import { mondayOf } from '../../schemas/utc-time.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const [start, end] = [new Date('2025-12-01'), new Date('2026-01-05')]
const [itemCount, candidateCount] = [60, 6000]
/** Rows of a step of a plan: the items, and the best candidates of five weeks, with those of equal score. */
const maxRows = 1000

type Selection = Omit<WeeklySelection, 'monday'> & { since: Date }

t.test('the best of a week are chosen among few of thousands of candidates', { timeout: 120_000 }, async t => {
  const service = await testService(t)
  const user = await service.user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Large', sources: [] })
  await sql`
    with papers as (${numberedPapers(account.id, itemCount + candidateCount)}), found as (
      select id, n, (n * 7919 % 101) / 100.0 as score, ${start}::timestamptz + (n * 7907 % 840) * interval '1 hour' as time from papers
    ), items as (
      insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, origin, seen_at)
      select ${project_id}, id, score, 'related', time, 'fetch', case when n % 4 = 0 then time end from found where n <= ${itemCount}
    )
    insert into candidate (project_id, paper_id, relevance_score, found_at)
    select ${project_id}, id, score, time from found where n > ${itemCount}`.execute(db)
  await sql`delete from search_pending`.execute(db)

  const items = await db.selectFrom('project_paper').select(['id', 'paper_id', 'relevance_score', 'ready_at as found_at', 'seen_at'])
    .where('project_id', '=', project_id).execute()
  const candidates = await db.selectFrom('candidate').select(['paper_id', 'relevance_score', 'found_at']).execute()
  type Competing = { paper_id: string, relevance_score: number, found_at: Date, seen_at?: Date | null, id?: string }
  const expected = ({ limit, minScore, since, keepsSeen }: Selection) => {
    const isKept = ({ seen_at }: Competing) => keepsSeen && (seen_at ?? null) !== null
    const weeks = new Map<number, Competing[]>()
    for (const paper of [...items, ...candidates.filter(({ relevance_score }) => relevance_score >= minScore)] as Competing[]) {
      if (paper.found_at < since) continue
      const week = mondayOf(paper.found_at).getTime()
      weeks.set(week, [...weeks.get(week) ?? [], paper])
    }
    return [...weeks.values()].flatMap(papers => papers
      .sort((a, b) => Number(isKept(b)) - Number(isKept(a)) || b.relevance_score - a.relevance_score ||
        Number(a.id === undefined) - Number(b.id === undefined) || a.found_at.getTime() - b.found_at.getTime() ||
        (a.paper_id < b.paper_id ? -1 : 1))
      .filter((paper, at) => !isKept(paper) && (paper.id === undefined) === (at < limit)))
      .map(({ paper_id }) => paper_id).sort()
  }
  const listAll = async (queried: Db, { since, ...selection }: Selection) => {
    const moving = []
    for (let monday = mondayOf(since); monday < end; monday = new Date(monday.getTime() + 7 * dayMs)) {
      for await (const papers of walkMovingPapers(queried, account.id, project_id, { ...selection, monday })) moving.push(...papers)
    }
    return moving
  }
  const selections: Selection[] = [
    { limit: 20, minScore: 0.1, since: start, keepsSeen: false },
    { limit: 5, minScore: 0.1, since: new Date('2025-12-08'), keepsSeen: true },
    { limit: 100, minScore: 0.99, since: start, keepsSeen: true },
    { limit: 20, minScore: 0, since: start, keepsSeen: false }
  ]
  const choose = async () => {
    for (const selection of selections) {
      const moving = await listAll(db, selection)
      t.strictSame(moving.map(({ paper_id }) => paper_id).sort(), expected(selection), JSON.stringify(selection))
      t.ok(moving.length > 0)
      if (selection.minScore === 0) continue
      const statements = await explainSelects(db, recorded => listAll(recorded, selection))
      const rows = statements.map(({ rowsFetched }) => rowsFetched)
      t.ok(Math.max(...rows) <= maxRows, `${rows.join(', ')} rows fetched`)
    }
  }
  await choose()
  await sql`vacuum analyze`.execute(db)
  await choose()
})
