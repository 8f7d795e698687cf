import t from 'tap'
import { sql } from 'kysely'
import { listAllAccounts } from '../../src/cli/user.js'
import { accountsList } from '../../src/operations/accounts/accounts-list.js'
import { administrationOverview } from '../../src/operations/administration/administration-overview.js'
import { administrationSources } from '../../src/operations/administration/administration-sources.js'
import { formSession } from '../support/forms.js'
import { logIn, testService } from '../support/service.js'

t.test('many accounts', async t => {
  const service = await testService(t)
  const { app, context, context: { db } } = service
  const administrator = await service.user('first@example.org')
  await sql`
    with accounts as (
      insert into account (email, password_hash, created_at, disabled_at)
      select 'user' || lpad(n::text, 3, '0') || '@example.org', '', now() + n * interval '1 minute', case when n > 120 then now() end
      from generate_series(1, 130) n returning id, email
    ), keys as (
      insert into mcp_key (account_id, prefix, secret_hash, secret_check, last_used_at)
      select id, 'prefix', '', '\\x00000000', timestamptz '2020-01-01' from accounts where email = 'user077@example.org'
    ), projects as (
      insert into project (account_id, name) select id, 'Private' from accounts, generate_series(1, case when email = 'user100@example.org' then 2 else 1 end)
      returning id
    )
    insert into source_state (project_id, name, query, last_fetched_at, last_attempt_at, failures, last_fault)
    select id, 'pubmed', '', timestamptz '2026-11-20', timestamptz '2026-11-21', 0, null from projects`.execute(db)
  await sql`
    update source_state set failures = 1, last_fault = 'timeout', last_fetched_at = timestamptz '2026-11-19'
    where project_id = (select project.id from project join account on account.id = account_id where email = 'user005@example.org')`.execute(db)

  await t.test('are listed in pages, oldest first', async t => {
    const { access_token } = await logIn(service, administrator)
    const get = async (query: string) =>
      (await app.inject({ url: `/api/administration/accounts${query}`, headers: { authorization: `Bearer ${access_token}` } })).json()
    const first = await get('')
    t.match(first, { total: 131, limit: 100, offset: 0, has_more: true, items: { length: 100 } })
    t.match(first.items.slice(0, 2), [{ email: 'first@example.org', last_used_at: /Z$/ }, { email: 'user001@example.org', projects: 1 }])
    const last = await get('?limit=100&offset=100')
    t.match(last, { total: 131, has_more: false, items: { length: 31 } })
    t.match(last.items[0], { email: 'user100@example.org', projects: 2 })
    t.match(await get('?offset=131'), { items: { length: 0 }, has_more: false })
    t.match(await get('?limit=101'), { code: 'invalid_arguments' })
    t.equal((await listAllAccounts(context)).length, 131)
  })

  await t.test('are counted in the overview, with those that were used last', async t => {
    const { users } = await administrationOverview.run(context, {})
    t.match(users, { total: 131, active: 1, disabled: 10, administrators: 1, items: { length: 10 } })
    t.strictSame(users.items.slice(0, 3).map(({ email }) => email), ['first@example.org', 'user077@example.org', 'user001@example.org'])
  })

  await t.test('are listed in pages where a source affects them', async t => {
    const pubmed = async (page = {}) => (await administrationSources.run(context, page)).items.find(({ name }) => name === 'pubmed')!
    const first = await pubmed()
    t.match(first, {
      state: 'failing',
      projects: 121,
      users: 120,
      sole_projects: 121,
      queries: 121,
      failing: 1,
      failing_since: '2026-11-19T00:00:00.000Z',
      fault: /^PubMed .*\.$/,
      last_success_at: '2026-11-20T00:00:00.000Z',
      affected: { length: 20 }
    })
    t.strictSame(first.affected[0], { email: 'user100@example.org', projects: 2, sole_projects: 2 })
    t.equal(first.affected[1]!.email, 'user001@example.org')
    const rest = await pubmed({ limit: 100, offset: 20 })
    t.equal(new Set([...first.affected, ...rest.affected].map(({ email }) => email)).size, 120)
    t.strictSame((await pubmed({ offset: 120 })).affected, [])
  })

  await t.test('have pages for administrators', async t => {
    const browser = await formSession(app, administrator)
    const page = await browser.get('/administration/users?offset=50')
    t.equal(page.body.match(/row-name/g)!.length, 50)
    t.match(page.body, /51 to 100 of 131/)
    t.match(page.body, /href="\/administration\/users" rel="prev"/)
    t.match(page.body, /href="\/administration\/users\?offset=100" rel="next"/)
    t.match((await browser.get('/administration/users?offset=100')).body, /101 to 131 of 131/)
    t.match((await browser.get('/administration')).body, /and 100 more/)
    const { items: [one] } = await accountsList.run(context, { limit: 1, offset: 60 })
    const promoted = await browser.post('/administration/users?offset=50', { action: 'promote', account_id: one!.id })
    t.equal(promoted.headers.location, '/administration/users?offset=50', 'a change returns to its page')
    const reset = await browser.post('/administration/users?offset=50', { action: 'reset-password', email: one!.email })
    t.match(reset.body, /has a new password/)
    t.match(reset.body, /51 to 100 of 131/)
    const past = await browser.get('/administration/users?offset=200')
    t.match(past.body, 'This page is past the end.')
    t.notMatch(past.body, ' of 131')
  })

  await t.test('are not changed by a form whose response could not show what is shown only once', async t => {
    const browser = await formSession(app, administrator)
    const invalid = '/administration/users?offset=x'
    const ofUser = db.selectFrom('account').select('password_hash').where('email', '=', 'user001@example.org')
    const hash = async () => (await ofUser.executeTakeFirstOrThrow()).password_hash
    const before = await hash()
    for (const form of [
      { action: 'reset-password', email: 'user001@example.org' },
      { action: 'create', email: 'new@example.org', password: '' },
      { action: 'invite', email: 'invited@example.org' }
    ]) t.equal((await browser.post(invalid, form)).statusCode, 400, form.action)
    t.equal(await hash(), before)
    t.strictSame(await db.selectFrom('account').select('id').where('email', '=', 'new@example.org').execute(), [])
    t.strictSame(await db.selectFrom('invitation').select('id').execute(), [])
  })
})
