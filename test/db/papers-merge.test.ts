import t from 'tap'
import { sql } from 'kysely'
import { addItems } from '../../db/queries/import.js'
import { mergePapers } from '../../db/queries/papers-merge.js'
import { feedGet } from '../../src/operations/feed-get.js'
import { itemOf } from '../../src/operations/feed-items.js'
import { scorer } from '../../src/relevance/score.js'
import { projectWith, record, testService } from '../support/service.js'
import { until } from '../support/until.js'

t.test('papers that become one keep what somebody adds to the other at that moment', async t => {
  const { context: { db, about: { databaseKind } }, user } = await testService(t)
  const { context } = await user()
  const other = await user()
  const project_id = await projectWith({ ...other, context }, [{ title: 'Kept', doi: '10.5555/kept' }, { title: 'Gone', doi: '10.5555/gone' }])
  const { items } = await feedGet.run(context, { project_id })
  const idOf = (title: string) => items.find(({ paper_title }) => paper_title === title)!.paper.id
  const theirs = await projectWith(other, [])

  let merging: Promise<unknown> | undefined
  await db.transaction().execute(async transaction => {
    const paper = record({ title: 'Gone' })
    const relevance = scorer({ interest_description: '', positive_keywords: [], negative_keywords: [], must_read_threshold: 0.6 })(paper)
    await addItems(transaction, [itemOf({ id: idOf('Gone'), record: paper }, { projectId: theirs, relevance, readyAt: new Date(), origin: 'import' })])
    merging = db.transaction().execute(async merge => await mergePapers(merge, idOf('Kept'), idOf('Gone')))
    // The embedded database has one transaction at a time.
    await until(async () => databaseKind === 'embedded' || (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(transaction)).rows.length > 0)
  })
  await merging
  t.match(await feedGet.run(other.context, { project_id: theirs }), { total: 1, items: [{ paper: { id: idOf('Kept') } }] })
})
