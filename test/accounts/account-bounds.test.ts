import t from 'tap'
import { sql } from 'kysely'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { logIn, testService } from '../support/service.js'

const service = await testService(t)
const { db } = service.context

t.test('a new session ends the least recently used of its kind beyond 200', async t => {
  const user = await service.user()
  const accountId = user.context.account.id
  await sql`
    insert into session (account_id, kind, refresh_token_hash, created_at, last_used_at, expires_at)
    select ${accountId}, kind, decode(md5(kind || n), 'hex'), now() - n * interval '1 hour', now() - n * interval '1 minute',
      now() + interval '1 day'
    from generate_series(1, 250) n cross join unnest(array['browser', 'token']) kind`.execute(db)
  const { access_token } = await logIn(service, user)
  const count = async (kind: string) =>
    (await db.selectFrom('session').select('last_used_at').where('account_id', '=', accountId).where('kind', '=', kind as 'token')
      .orderBy('last_used_at').execute())
  const tokens = await count('token')
  t.equal(tokens.length, 200)
  t.ok(tokens[0]!.last_used_at!.getTime() > Date.now() - 200 * 60_000, 'the others were used later')
  t.equal((await count('browser')).length, 250)
  const me = await service.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${access_token}` } })
  t.equal(me.statusCode, 200, 'the new one lives')
})

t.test('an account has 1,000 keys at most', async t => {
  const { context } = await service.user()
  await sql`
    insert into mcp_key (account_id, name, prefix, secret_hash, secret_check, scope, created_at)
    select ${context.account.id}, 'Key ' || n, 'bound' || n, 'x', decode('00000000', 'hex'), 'read', now()
    from generate_series(1, 999) n`.execute(db)
  // One is the key that every account of the tests has.
  await t.rejects(keyCreate.run(context, { name: 'One too many' }), { code: 'invalid_arguments', message: /1,000 keys, the maximum/ })
  await sql`delete from mcp_key where prefix = 'bound1'`.execute(db)
  t.match(await keyCreate.run(context, { name: 'One more' }), { name: 'One more' })
})
