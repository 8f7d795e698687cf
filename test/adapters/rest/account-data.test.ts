import t from 'tap'
import { sql } from 'kysely'
import { accountDelete } from '../../../src/operations/accounts/account-delete.js'
import { alertCreate } from '../../../src/operations/alerts/alert-create.js'
import { feedBrief } from '../../../src/operations/feed/feed-brief.js'
import { feedbackSet } from '../../../src/operations/feed/feedback-set.js'
import { keyCreate } from '../../../src/operations/keys/key-create.js'
import { projectFetchQueue } from '../../../src/operations/projects/project-fetch-queue.js'
import { type TestUser, logIn, projectWith, testService } from '../../support/service.js'
import { storeUpload } from '../../support/uploads.js'

t.test('account data', async t => {
  const service = await testService(t)
  const { app, context: { db } } = service
  await service.user('administrator@example.org')
  const other = await service.user('other@example.org')
  await projectWith(other, [{ title: 'A paper that stays' }], { name: 'Of the other' })
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
    const remove = async (payload: object, as = headers) =>
      await app.inject({ method: 'DELETE', url: '/api/account', payload, headers: as })
    t.match((await remove({ password: 'a wrong password' })).json(), { code: 'forbidden', detail: /password is wrong/ })
    t.equal((await remove({})).statusCode, 400)
    t.equal((await remove({ password: user.password })).statusCode, 204)
    t.equal((await app.inject({ url: '/api/auth/me', headers })).statusCode, 401)
    t.strictSame(await tablesWith([accountId, user.email, projectId, 'leaving']), [])
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

  /** Tables that have a row with one of these texts in any column. */
  async function tablesWith (texts: readonly string[]): Promise<string[]> {
    const { rows: tables } = await sql<{
      name: string
    }>`select relname as name from pg_stat_user_tables where schemaname = 'public' order by 1`.execute(db)
    const found: string[] = []
    for (const { name } of tables) {
      const { rows: [row] } = await sql<{ found: boolean }>`
        select exists (select from ${sql.table(name)} as each
        where to_jsonb(each.*)::text ilike any(${texts.map(text => `%${text}%`)}::text[])) as found`.execute(db)
      if (row!.found) found.push(name)
    }
    return found
  }
})
