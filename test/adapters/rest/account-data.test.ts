import t from 'tap'
import { sql } from 'kysely'
import { saveZoteroAccount, saveZoteroSync } from '../../../db/queries/zotero.js'
import { saveZoteroItems } from '../../../db/queries/zotero-items.js'
import { accountDelete } from '../../../src/operations/accounts/account-delete.js'
import { alertCreate } from '../../../src/operations/alerts/alert-create.js'
import { feedBrief } from '../../../src/operations/feed/feed-brief.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { itemUpdate } from '../../../src/operations/feed/item-update.js'
import { projectFetchQueue } from '../../../src/operations/projects/project-fetch-queue.js'
import { shareLinkCreate } from '../../../src/operations/sharing/share-link-create.js'
import { snapshotCreate } from '../../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../../src/operations/snapshots/snapshot-freeze.js'
import { type TestUser, logIn, projectWith, testService } from '../../support/service.js'
import { storeUpload } from '../../support/uploads.js'

t.test('account data', async t => {
  const service = await testService(t)
  const { app, context: { db } } = service
  await service.user('administrator@example.org')
  const other = await service.user('other@example.org')
  await projectWith(other, [{ title: 'A paper that stays' }], { name: 'Of the other' })
  const rowsWithoutUser = await rowCounts()
  const user = await service.user('leaving@example.org')
  const accountId = user.context.account.id
  const projectId = await projectWith(
    user,
    Array.from({ length: 230 }, (_each, at) => ({ title: `A paper that leaves, number ${at}` })),
    { name: 'Leaving project' }
  )
  const item = await db
    .selectFrom('project_paper')
    .select(['id', 'paper_id'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .executeTakeFirstOrThrow()
  await feedbackSet.run(user.context, { paper_id: item.id, vote: 'star' })
  await keyCreate.run(user.context, { name: 'Notebook of the leaving', scope: 'act' })
  await alertCreate.run(user.context, {
    project_id: projectId,
    kind: 'webhook',
    target: 'https://hooks.leaving.example/new',
    frequency: 'daily'
  })
  await feedBrief.run(user.context, { consumer: 'the leaving agent' })
  await projectFetchQueue.run(user.context, { project_id: projectId })
  await storeUpload(db, { account_id: accountId, paper_id: item.paper_id, bytes: Buffer.from('%PDF-1.4 of the leaving') })
  await sql`insert into markdown (paper_id, account_id, markdown)
    values (${item.paper_id}, ${accountId}, 'The text of the leaving.')`.execute(db)
  await itemUpdate.run(user.context, { ref: item.id, saved: true, tags: ['leaving tag'], note: 'A note of the leaving.' })
  await db.insertInto('project_follow').values({ project_id: projectId, kind: 'author', name: 'A leaving author', ids: ['A1'] }).execute()
  await shareLinkCreate.run(user.context, { project_id: projectId, title: 'List of the leaving' })
  await db.insertInto('unsubscription')
    .values({ account_id: accountId, address: 'former@leaving.example', unsubscribed_at: new Date() })
    .execute()
  await snapshotCreate.run(user.context, { project_id: projectId })
  await snapshotFreeze.run(user.context, { project_id: projectId })
  await saveZoteroAccount(db, { account_id: accountId, api_key: Buffer.from('key'), user_id: '1', username: 'leaving' })
  const [library, target] = ['users/1', { key: 'ABCD2345', name: 'Reading of the leaving' }]
  await saveZoteroSync(db, accountId, projectId, { library, library_name: 'Leaving', collections: [target], learn: true, target })
  await saveZoteroItems(db, accountId, { projectId, library }, [
    { item_key: 'AAAA2222', paper_id: item.paper_id, state: 'sent', target: target.key, identities: ['title of the leaving'] }
  ])
  const headers = { authorization: `Bearer ${(await logIn(service, user)).access_token}` }

  await t.test("exports completely, in batches, without secrets or other accounts' data", async t => {
    const response = await app.inject({ url: '/api/account/export', headers })
    t.equal(response.statusCode, 200)
    t.match(response.headers, {
      'content-type': /^application\/json/,
      'content-disposition': /^attachment; filename="litfeed-account-\d{4}-\d\d-\d\d\.json"$/,
      'cache-control': 'private, no-store'
    })
    const archive = response.json()
    t.match(archive, {
      litfeed_account: 1,
      account: [{ email: user.email }],
      project: [{ name: 'Leaving project' }],
      alert: [{ target: 'https://hooks.leaving.example/new' }],
      markdown: [{ markdown: 'The text of the leaving.' }]
    })
    t.equal(archive.paper.length, 230)
    t.equal(new Set(archive.project_paper.map(({ id }: { id: string }) => id)).size, 230)
    t.match(
      archive.project_paper.find(({ id }: { id: string }) => id === item.id),
      { vote: 'star' }
    )
    for (const table of ['session', 'mcp_key', 'source_state', 'brief', 'brief_item', 'job', 'pdf_upload']) {
      t.ok(archive[table].length > 0, table)
    }
    for (const absent of ['password_hash', 'secret_hash', 'secret_check', 'refresh_token_hash', '$argon2', other.email, 'Of the other']) {
      t.notOk(response.body.includes(absent), absent)
    }
  })

  await t.test('is deleted from every table, given the password', async t => {
    const texts = [accountId, user.email, projectId, 'leaving']
    const ownTables = [
      'account', 'alert', 'brief', 'job', 'markdown', 'mcp_key', 'paper', 'pdf_upload', 'project', 'project_follow', 'project_paper',
      'session', 'share_link', 'snapshot', 'unsubscription', 'zotero_account', 'zotero_item', 'zotero_sync'
    ]
    const before = await tablesWith(texts)
    t.strictSame(ownTables.filter(name => !before.includes(name)), [], 'each of these has a row')
    const remove = async (payload: object, as = headers) =>
      await app.inject({ method: 'DELETE', url: '/api/account', payload, headers: as })
    t.match((await remove({ password: 'a wrong password' })).json(), { code: 'forbidden', detail: /password is wrong\. Send/ })
    t.equal((await remove({})).statusCode, 400)
    t.equal((await remove({ password: user.password })).statusCode, 204)
    t.equal((await app.inject({ url: '/api/auth/me', headers })).statusCode, 401)
    t.strictSame(await tablesWith(texts), [])
    t.strictSame(await rowCounts(), rowsWithoutUser, 'no table keeps a row')
    t.strictSame(await tablesWith(['Of the other']), ['project'])
  })

  await t.test('is not deleted for the only administrator of several accounts', async t => {
    const administrator: TestUser = {
      ...other,
      ...(await db.selectFrom('account').select(['id', 'email']).where('administrator', '=', true).executeTakeFirstOrThrow())
    }
    const { id } = await db.selectFrom('account').select('id').where('administrator', '=', true).executeTakeFirstOrThrow()
    await t.rejects(accountDelete.run({ ...other.context, account: { id } }, { password: administrator.password }), {
      code: 'last_administrator'
    })
  })

  /** The names of all tables. */
  async function allTables (): Promise<string[]> {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = 'public' order by 1`.execute(db)
    return rows.map(({ name }) => name)
  }

  /** The number of rows of every table. */
  async function rowCounts (): Promise<Record<string, number>> {
    const counts: Record<string, number> = {}
    for (const name of await allTables()) {
      const { rows: [row] } = await sql<{ count: number }>`select count(*)::int as count from ${sql.table(name)}`.execute(db)
      counts[name] = row!.count
    }
    return counts
  }

  /** Tables that have a row with one of these texts in any column. */
  async function tablesWith (texts: readonly string[]): Promise<string[]> {
    const found: string[] = []
    for (const name of await allTables()) {
      const { rows: [row] } = await sql<{ found: boolean }>`
        select exists (select from ${sql.table(name)} as each
        where to_jsonb(each.*)::text ilike any(${texts.map(text => `%${text}%`)}::text[])) as found`.execute(db)
      if (row!.found) found.push(name)
    }
    return found
  }
})
