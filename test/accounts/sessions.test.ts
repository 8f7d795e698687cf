import t from 'tap'
import { authenticateBrowserSession } from '../../src/accounts/browser-session.js'
import { authenticateSession, requireAdministrator } from '../../src/accounts/authenticate.js'
import { createSession } from '../../db/queries/sessions.js'
import { browserTokens } from '../../src/accounts/session-tokens.js'
import { testService } from '../support/service.js'

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
const start = Date.UTC(2026, 10, 23, 8)

t.test('a session', async t => {
  let time = start
  const now = () => new Date(time)
  const service = await testService(t, {}, now)
  const administrator = await service.user()
  const { context } = await service.user()
  const { db, account: { id: account_id }, accounts: { accessTokens } } = context
  const { password_hash } = await db.selectFrom('account').select('password_hash').where('id', '=', account_id).executeTakeFirstOrThrow()
  const createAs = async (kind: 'token' | 'browser') => {
    const { token, sessionId: id, hash: refresh_token_hash } = browserTokens.mint()
    const expires_at = new Date(time + day)
    await createSession(db, { id, kind, refresh_token_hash, user_agent: null, account_id, password_hash, expires_at })
    const stored = async () =>
      await db.selectFrom('session').select(['last_used_at', 'expires_at']).where('id', '=', id).executeTakeFirstOrThrow()
    return { token, id, stored, lastUsed: async () => (await stored()).last_used_at?.getTime() }
  }

  await t.test('of a program records its last use to the minute', async t => {
    const { id: sessionId, lastUsed } = await createAs('token')
    const use = async () => await authenticateSession(context, await accessTokens.sign({ accountId: account_id, sessionId }))
    t.equal(await lastUsed(), undefined)
    t.strictSame(await use(), { accountId: account_id, sessionId })
    t.equal(await lastUsed(), start)
    time += minute - 1
    await use()
    t.equal(await lastUsed(), start)
    time++
    await use()
    t.equal(await lastUsed(), start + minute)
    t.equal(await authenticateSession(context, 'no token'), undefined)
  })

  await t.test('of a browser records its last use to the hour, and is extended then to thirty days', async t => {
    time = start
    const { token, id: sessionId, stored, lastUsed } = await createAs('browser')
    const use = async () => await authenticateBrowserSession(context, token)
    t.match(await use(), { sessionId, account: { id: account_id, administrator: false }, extendedUntil: new Date(start + 30 * day) })
    t.strictSame(await stored(), { last_used_at: new Date(start), expires_at: new Date(start + 30 * day) })
    time += hour - 1
    t.match(await use(), { sessionId, extendedUntil: undefined })
    t.equal(await lastUsed(), start)
    time++
    t.match(await use(), { sessionId, extendedUntil: new Date(time + 30 * day) })
    t.equal(await lastUsed(), time)
    t.equal(await authenticateBrowserSession(context, token.slice(1)), undefined)
    t.equal(await authenticateBrowserSession(context, browserTokens.mint(sessionId).token), undefined)
  })

  await t.test('of an administrator may administer, and no other', async t => {
    await t.rejects(requireAdministrator(context), { code: 'forbidden', message: 'Only administrators may do this. Ask one of them.' })
    await t.rejects(
      requireAdministrator({ db: service.context.db, account: { id: '00000000-0000-4000-8000-000000000000' } }),
      { code: 'forbidden' },
      'a deleted account'
    )
    await t.resolves(requireAdministrator(administrator.context))
  })
})
