import t from 'tap'
import { sql } from 'kysely'
import { maxAlike } from '../../db/queries/alike-papers.js'
import type { Db } from '../../db/connection.js'
import { findItemByIdentifier, findPaperByIdentifier, listItemsByIdentifier } from '../../db/queries/identifiers.js'
import { findMatchingPapers } from '../../db/queries/import.js'
import { listCitedLikes, listIdentifiers } from '../../db/queries/signals.js'
import { numberedPapers } from '../support/numbered-papers.js'
import { explainSelects } from '../support/plans.js'
import { addPapers, projectWith, testService } from '../support/service.js'

const storedCount = 3000

t.test('of papers that one account stored thousands of times, it reads some, and others none', async t => {
  const service = await testService(t)
  const [one, other] = [await service.user(), await service.user()]
  const { db } = one.context
  const projectId = await projectWith(one, [])
  await sql`
    with stored as (${numberedPapers(one.context.account.id, storedCount)})
    insert into project_paper (project_id, paper_id, relevance_score, relevance_class, ready_at, vote, voted_at)
    select ${projectId}, id, 0, 'low', now(), 'star', now() from stored`.execute(db)
  await sql`
    update paper set title_key = 'same', source_paper_id = '1',
      doi = '10.1000/same', arxiv_id = '2401.00001', pmid = '1', pmcid = 'PMC1', openalex_id = 'W1',
      metadata = '{"published_doi": "10.1000/Form", "preprint_doi": "10.1000/form"}'`.execute(db)
  await sql`delete from search_pending`.execute(db)
  await sql`vacuum analyze`.execute(db)

  const readsFew = async (t: Pick<Tap, 'ok'>, work: (recorded: Db) => Promise<unknown>) => {
    for (const { rowsFetched, sql } of await explainSelects(db, work)) {
      t.ok(rowsFetched <= 5 * maxAlike, `${rowsFetched} rows fetched: ${sql}`)
    }
  }

  const matchesFew = async (t: Tap, users: ReadonlyArray<[user: typeof one, count: number]>) => {
    const none = { dois: [], arxivIds: [], pmids: [], pmcids: [], openalexIds: [], sourceIds: [], titleKeys: [] }
    for (const sought of [
      { ...none, dois: ['10.1000/same'] }, { ...none, arxivIds: ['2401.00001'] }, { ...none, pmids: ['1'] }, { ...none, pmcids: ['PMC1'] },
      { ...none, openalexIds: ['W1'] }, { ...none, sourceIds: [{ source: 'json-lines', id: '1' }] }, { ...none, titleKeys: ['same'] }
    ]) {
      for (const [{ context: { account } }, count] of users) {
        t.equal((await findMatchingPapers(db, account.id, sought)).length, count)
        await readsFew(t, recorded => recorded.transaction().execute(async transaction => {
          await sql`select set_config('enable_seqscan', 'off', true)`.execute(transaction)
          return await findMatchingPapers(transaction, account.id, sought)
        }))
      }
    }
  }

  await t.test('matching records', async t => { await matchesFew(t, [[one, maxAlike], [other, 0]]) })

  await t.test('looking up an identifier', async t => {
    for (const forms of [
      [{ kind: 'arxiv', values: ['2401.00001'] }, { kind: 'doi', values: ['10.48550/arxiv.2401.00001'] }],
      [{ kind: 'pmid', values: ['1'] }],
      [{ kind: 'pmcid', values: ['PMC1'] }]
    ] as const) {
      for (const [{ context: { account } }, isOwner] of [[one, true], [other, false]] as const) {
        await readsFew(t, async recorded => {
          t.equal((await listItemsByIdentifier(recorded, account.id, forms)).length, isOwner ? maxAlike : 0)
          t.equal(await findPaperByIdentifier(recorded, account.id, forms) !== undefined, isOwner)
          t.equal(await findItemByIdentifier(recorded, account.id, projectId, forms) !== undefined, isOwner)
        })
      }
    }
  })

  await t.test('following references', async t => {
    const none = { dois: [], arxivIds: [], pmids: [], openalexIds: [] }
    for (const cited of [
      { ...none, dois: ['10.1000/same'] }, { ...none, dois: ['10.1000/form'] }, { ...none, pmids: ['1'] }, { ...none, openalexIds: ['W1'] }
    ]) {
      for (const [{ context: { account } }, count] of [[one, maxAlike], [other, 0]] as const) {
        await readsFew(t, async recorded => {
          t.equal((await listIdentifiers(recorded, account.id, cited)).length, count)
          t.equal((await listCitedLikes(recorded, account.id, cited)).length, count)
        })
      }
    }
  })

  // Such as the "Issue information" of a year.
  await t.test('matching records with shared papers', async t => {
    await sql`update paper set account_id = null`.execute(db)
    await sql`vacuum analyze`.execute(db)
    await matchesFew(t, [[one, maxAlike]])
  })
})

t.test('an id is that of its source, however many sources have given it', async t => {
  const service = await testService(t)
  const user = await service.user()
  const from = (source: number, title = `A paper from source ${source}`) => ({ title, source: { name: `s${source}` }, source_paper_id: '1' })
  const projectId = await projectWith(user, Array.from({ length: maxAlike }, (_, at) => from(at + 1)))
  const add = async (title: string) => await addPapers(user.context, projectId, [from(maxAlike + 1, title)])
  t.match(await add('One more paper'), { created: 1 })
  t.match(await add('The same under another title'), { created: 0 })
})

type Tap = Pick<typeof t, 'ok' | 'equal'>
