import t from 'tap'
import { SignJWT, UnsecuredJWT } from 'jose'
import { deriveSecrets } from '../../src/accounts/secrets.js'
import { browserLogin } from '../../src/operations/accounts/browser-login.js'
import { authenticateBrowserSession } from '../../src/accounts/browser-session.js'
import { passwordReset } from '../../src/operations/accounts/password-reset.js'
import { logIn, testSecret, testService, type TestUser } from '../support/service.js'
import { setPassword } from '../../db/queries/accounts.js'
import { hashPassword } from '../../src/accounts/passwords.js'
import { accountUpdate } from '../../src/operations/accounts/account-update.js'
import { login } from '../../src/operations/accounts/login.js'
import { passwordChange } from '../../src/operations/accounts/password-change.js'
import { Unauthorized } from '../../src/errors/operation-errors.js'

t.test('an access token', async t => {
  const service = await testService(t)
  const user = await service.user()
  const status = async (token: string) =>
    (await service.app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${token}` } })).statusCode
  const refresh = async (refresh_token: string) =>
    await service.app.inject({ method: 'POST', url: '/api/auth/refresh', payload: { refresh_token } })
  const { access_token } = await logIn(service, user)
  const { iss, aud, sub, sid } = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString())
  const { accessToken, feedToken } = deriveSecrets(testSecret)
  const signed = async (claims: object = {}, { alg = 'HS256', secret = accessToken, expires = '5m' as string | null } = {}) => {
    const token = new SignJWT({ iss, aud, sub, sid, ...claims }).setProtectedHeader({ alg }).setIssuedAt()
    return await (expires === null ? token : token.setExpirationTime(expires)).sign(secret)
  }

  t.test('is accepted with valid claims and signature', async t => {
    t.equal(await status(await signed()), 200, 'so that what is refused below is refused for one reason')
  })

  t.test('is rejected if unsigned, expired, foreign or signed with another algorithm', async t => {
    const [head, claims, signature] = access_token.split('.') as [string, string, string]
    const none = Buffer.from('{"alg":"none"}').toString('base64url')
    const wrong: Record<string, string> = {
      'alg none': new UnsecuredJWT({ iss, aud, sub, sid }).setExpirationTime('5m').encode(),
      'alg none with the signature kept': `${none}.${claims}.${signature}`,
      'alg None': `${Buffer.from('{"alg":"None"}').toString('base64url')}.${claims}.`,
      'no signature': `${head}.${claims}.`,
      'another issuer': await signed({ iss: 'elsewhere' }),
      'no issuer': await signed({ iss: undefined }),
      'another audience': await signed({ aud: 'elsewhere' }),
      'another account': await signed({ sub: (await service.user()).context.account.id }),
      'another session': await signed({ sid: 'ffffffff-ffff-4fff-8fff-ffffffffffff' }),
      'a session that is no id': await signed({ sid: "' or true --" }),
      expired: await signed({}, { expires: '-1s' }),
      'without an end': await signed({}, { expires: null }),
      'not valid yet': await signed({ nbf: Math.floor(Date.now() / 1000) + 60 }),
      HS512: await signed({}, { alg: 'HS512' }),
      'signed with the key of another purpose': await signed({}, { secret: feedToken }),
      'signed with the secret itself': await signed({}, { secret: new TextEncoder().encode(testSecret) })
    }
    for (const [what, token] of Object.entries(wrong)) t.equal(await status(token), 401, what)
  })

  t.test('is invalid after a password change, like its refresh token', async t => {
    const before = await Promise.all([logIn(service, user), logIn(service, user)])
    await passwordReset.run(service.context, { email: user.email, password: 'another long password' })
    for (const { access_token, refresh_token } of before) {
      t.equal(await status(access_token), 401)
      t.equal((await refresh(refresh_token)).statusCode, 401)
    }
    t.equal(
      (await service.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email: user.email, password: user.password } }))
        .statusCode,
      401
    )
    const after: TestUser = { ...user, password: 'another long password' }
    t.equal(await status((await logIn(service, after)).access_token), 200)
    Object.assign(user, after)
  })

  t.test('ends with its session when a refresh token is reused, and other sessions continue', async t => {
    const [stolen, other] = [await logIn(service, user), await logIn(service, user)]
    const next = (await refresh(stolen.refresh_token)).json()
    const afterNext = (await refresh(next.refresh_token)).json()
    t.equal(await status(afterNext.access_token), 200)
    t.equal((await refresh(stolen.refresh_token)).statusCode, 401, 'the first one, again')
    for (const { access_token } of [stolen, next, afterNext]) t.equal(await status(access_token), 401)
    t.equal((await refresh(afterNext.refresh_token)).statusCode, 401, 'the newest one of the family')
    t.equal(await status(other.access_token), 200)
  })

  t.test('survives a refresh token forged from its session\'s id, like a browser\'s session', async t => {
    const { access_token, refresh_token } = await logIn(service, user)
    const { token: cookie } = await browserLogin.run(
      { ...service.context, address: '127.0.0.1' },
      { email: user.email, password: user.password, user_agent: '' }
    )
    const [, session, end] = refresh_token.split('_') as [string, string, string]
    const browserSession = cookie.split('_')[1]!
    for (const id of [session, browserSession]) {
      for (const rest of [
        'a'.repeat(32),
        `${'a'.repeat(32)}${'0'.repeat(32)}`,
        `${'a'.repeat(32)}${end.slice(32)}`,
        `${end.slice(0, 32)}${'0'.repeat(32)}`,
        end.slice(0, 32)
      ]) {
        const answer = await refresh(`svcrt_${id}_${rest}`)
        t.equal(answer.statusCode, 401)
        t.match(answer.json(), { code: 'unauthorized' })
      }
    }
    t.equal((await refresh(cookie.replace('svcbs', 'svcrt'))).statusCode, 401)
    t.equal(await status(access_token), 200)
    t.ok(await authenticateBrowserSession(service.context, cookie))
    t.equal((await refresh(refresh_token)).statusCode, 200)
  })

  t.test('is issued once for a refresh token that is used twice concurrently, and the family ends', async t => {
    const { refresh_token } = await logIn(service, user)
    const answers = await Promise.all(Array.from({ length: 5 }, async () => await refresh(refresh_token)))
    t.strictSame(answers.map(({ statusCode }) => statusCode).sort(), [200, 401, 401, 401, 401])
    t.equal(await status(answers.find(({ statusCode }) => statusCode === 200)!.json().access_token), 401)
  })
})

t.test('during a password change', async t => {
  const service = await testService(t)
  const context = { ...service.context, address: '127.0.0.1' }
  const { db } = context
  const old = 'correct horse battery'
  const hash = await hashPassword('another long password')
  const sessionsOf = async (id: string) => (await db.selectFrom('session').select('id').where('account_id', '=', id).execute()).length
  /** Logins of both kinds that have verified the password when `change` comes. @returns their errors */
  const overlapping = async (email: string, change: () => Promise<unknown>) => {
    const logins = [login, browserLogin, login, browserLogin]
    const { accounts, accounts: { loginThrottle } } = context
    let verified = 0
    let finish: (value: unknown) => void
    const changed = new Promise(resolve => { finish = resolve })
    const begin = async (caller: Parameters<typeof loginThrottle.begin>[0]) => {
      const attempt = await loginThrottle.begin(caller)
      const succeeded = async () => {
        if (++verified === logins.length) finish(change())
        await changed
        await attempt.succeeded()
      }
      return { ...attempt, succeeded }
    }
    const delayed = { ...context, accounts: { ...accounts, loginThrottle: { ...loginThrottle, begin } } }
    const settled = await Promise.allSettled(logins.map(async operation => {
      await operation.run(delayed, { email, password: old, ...(operation === browserLogin && { user_agent: '' }) })
    }))
    return settled.map(each => each.status === 'rejected' ? each.reason : undefined)
  }

  t.test('a login with the old password fails like a wrong one and leaves no session', async t => {
    const { email, context: { account: { id } } } = await service.user()
    const errors = await overlapping(email, async () => await setPassword(db, id, hash))
    t.equal(await sessionsOf(id), 0)
    for (const error of errors) t.match(error, { constructor: Unauthorized, message: 'The email address or password is wrong.' })
  })

  t.test('a login to a disabled account leaves no session', async t => {
    const administrator = await service.user()
    await db.updateTable('account').set({ administrator: true }).where('id', '=', administrator.context.account.id).execute()
    const { email, context: { account: { id } } } = await service.user()
    const errors = await overlapping(
      email,
      async () => await accountUpdate.run(administrator.context, { account_id: id, disabled: true })
    )
    t.equal(await sessionsOf(id), 0)
    t.ok(errors.every(error => error !== undefined))
  })

  t.test('only one change with the same old password succeeds', async t => {
    const user = await service.user()
    const changes = await Promise.allSettled(
      [1, 2, 3, 4].map(
        async at => await passwordChange.run(user.context, { current_password: user.password, new_password: `a long password ${at}` })
      )
    )
    t.equal(changes.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const change of changes) {
      if (change.status === 'rejected') t.match(change.reason, { code: 'forbidden', message: 'The current password is wrong.' })
    }
  })
})
