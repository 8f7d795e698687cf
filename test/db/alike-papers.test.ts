import t from 'tap'
import { sql } from 'kysely'
import { findMatchingPapers, maxAlike } from '../../db/queries/import.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { testService } from '../support/service.js'

const storedCount = 3000

t.test('a title or an id that one account stored thousands of times is looked up in some of its papers, for others in none', async t => {
  const service = await testService(t)
  const [one, other] = [await service.user(), await service.user()]
  const { db } = one.context
  await numberedPapers(one.context.account.id, storedCount).execute(db)
  await sql`update paper set title_key = 'same', source_name = title, source_paper_id = '1'`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)
  const none = { dois: [], arxivIds: [], pmids: [], pmcids: [], openalexIds: [], sourcePaperIds: [], titleKeys: [] }

  const look = async (users: ReadonlyArray<[context: typeof one.context, count: number]>) => {
    for (const sought of [{ ...none, titleKeys: ['same'] }, { ...none, sourcePaperIds: ['1'] }]) {
      for (const [{ account }, count] of users) {
        t.equal((await findMatchingPapers(db, account.id, sought)).length, count)
        const [statement] = await explainSelects(db, recorded => recorded.transaction().execute(async transaction => {
          await sql`select set_config('enable_seqscan', 'off', true)`.execute(transaction)
          return await findMatchingPapers(transaction, account.id, sought)
        }))
        t.ok(statement!.rowsFetched <= 3 * maxAlike, `${statement!.rowsFetched} rows fetched`)
      }
    }
  }
  await look([[one.context, maxAlike], [other.context, 0]])
  // Shared ones, such as the "Issue information" of a year.
  await sql`update paper set account_id = null`.execute(db)
  await sql`vacuum analyze`.execute(db)
  await look([[one.context, maxAlike]])
})
