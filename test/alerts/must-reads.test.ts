import t from 'tap'
import { sql } from 'kysely'
import { claimBatch, markSent } from '../../db/queries/alert-items.js'
import { createAlert, findAlertToSend } from '../../db/queries/alerts.js'
import { explainInserts, explainSelects } from '../support/plans.js'
import { projectWith, testService } from '../support/service.js'

const itemCount = 10_500

t.test('an alert of which thousands of papers were sent reads a slice of the feed at a time', async t => {
  const user = await (await testService(t)).user()
  const { context: { db, account } } = user
  const project_id = await projectWith(user, [], { name: 'Must-reads', sources: [] })
  const { id } = await createAlert(db, account.id, {
    project_id,
    kind: 'webhook',
    target: 'https://example.org/hook',
    frequency: 'daily',
    must_read: true,
    created_at: new Date('2026-01-01'),
    next_send_at: new Date()
  }, { perProject: 20, perAccount: 20 }) as { id: string }
  await sql`
    with added as (
      insert into paper (account_id, slug, title, authors, source_name, metadata, title_key)
      select ${account.id}, 'sent', 'Paper ' || n, '[]', 'json-lines', '{}', n::text from generate_series(1, ${itemCount}::integer) n
      returning id, title_key::integer as place
    ), sent as (
      insert into alert_item (alert_id, paper_id, batch, sent_at) select ${id}, id, ${id}, now() from added where place not in (7, 10400, 10401)
    )
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at)
    select ${project_id}, id, 1 - place / 1e6, case when place in (7, 10400) then 'related' else 'must_read' end, timestamptz '2026-02-01'
    from added`.execute(db)
  await sql`delete from search_pending`.execute(db)
  const alert = (await findAlertToSend(db, id))!
  const titlesOf = (claimed: Awaited<ReturnType<typeof claimBatch>>) => claimed?.items.map(({ title }) => title)
  const limits = { maxItems: 100, maxRead: 100 }
  const claimNext = async () => {
    const claimed = await claimBatch(db, account.id, alert, limits)
    if (claimed !== undefined) await markSent(db, account.id, id, claimed.batch, new Date())
    return titlesOf(claimed)
  }
  t.strictSame(await claimNext(), ['Paper 10401'], 'in the second slice')
  t.equal(await claimNext(), undefined)
  await sql`update project_paper set relevance_class = 'must_read' from paper
    where paper.id = paper_id and project_id = ${project_id} and title_key in ('7', '10400')`.execute(db)
  t.strictSame(await claimNext(), ['Paper 7', 'Paper 10400'], 'must-reads that became such later, of both slices')
  t.equal(await claimNext(), undefined)

  await sql`analyze paper, project_paper, alert_item`.execute(db)
  const toAll = { ...alert, must_read: false, claimed_through: new Date('2026-02-02') }
  const mostRows = (statements: Awaited<ReturnType<typeof explainSelects>>) => Math.max(...statements.map(({ rows }) => rows))
  for (const each of [alert, toAll]) {
    const claim = (recorded: typeof db) => claimBatch(recorded, account.id, each, limits)
    const [selected, inserted] = [mostRows(await explainSelects(db, claim)), mostRows(await explainInserts(db, claim))]
    t.ok(selected <= 2001 && inserted <= 100, `${selected} and ${inserted} rows`)
  }

  await sql`update project_paper set relevance_class = 'related' where project_id = ${project_id} and relevance_score < 1 - 100 / 1e6`
    .execute(db)
  await sql`vacuum analyze project_paper`.execute(db)
  const read = mostRows(await explainSelects(db, recorded => claimBatch(recorded, account.id, alert, limits)))
  t.ok(read <= 100, `of few must-reads, only these: ${read} rows`)
})
