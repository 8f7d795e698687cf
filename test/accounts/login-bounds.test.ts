import argon2 from 'argon2'
import t from 'tap'
import { hashSecret, verifySecret } from '../../src/accounts/argon2.js'
import { deviceLifetimeMs, deviceTokens } from '../../src/accounts/device-tokens.js'
import { loginThrottle } from '../../src/accounts/login-throttle.js'
import { hashAtServiceCost } from '../support/cheap-hashes.js'
import { atEnd } from '../support/end-of-file.js'
import { formSession } from '../support/forms.js'
import { post } from '../support/mcp.js'
import { testService } from '../support/service.js'

// How long a verification takes decides who waits for whom.
atEnd(t, hashAtServiceCost())
const base = await testService(t)

t.test('wrong passwords from several addresses delay neither valid logins nor keys', async t => {
  const service = base
  const [user, other] = [await service.user(), await service.user()]
  const login = async (email: string, password: string, remoteAddress: string) =>
    await service.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { email, password } })
  let rejected = 0
  const wrong = Array.from({ length: 168 }, async (_each, at) => {
    const response = await login(`nobody${at}@example.org`, 'a wrong password', `192.0.2.${at % 6}`)
    rejected++
    return response
  })
  const [right, call] = await Promise.all([
    login(user.email, user.password, '198.51.100.1'),
    post(service, other.key, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list' } })
  ])
  const rejectedBefore = rejected
  t.equal(right.statusCode, 200)
  t.equal(call.statusCode, 200)
  t.ok(rejectedBefore <= 40, `after ${rejectedBefore} of 168 wrong ones`)
  const statuses = (await Promise.all(wrong)).map(({ statusCode }) => statusCode)
  t.strictSame(new Set(statuses), new Set([401]))
})

t.test('wrong passwords from other addresses do not lock a user out', async t => {
  const service = await base.sibling(t)
  const user = await service.user()
  const login = async (password: string, remoteAddress: string) =>
    await service.app.inject({ method: 'POST', url: '/api/auth/login', remoteAddress, payload: { email: user.email, password } })
  t.equal((await login(user.password, '198.51.100.1')).statusCode, 200)
  const browser = await formSession(service.app, user)
  // The session ends, the device cookie stays.
  t.ok(browser.cookies.delete('litfeed') && browser.cookies.has('litfeed-device'))
  for (let at = 0; at < 12; at++) await login('a wrong password', `192.0.2.${at}`)
  t.equal((await login(user.password, '203.0.113.1')).statusCode, 429, 'an unknown address has to wait')
  t.equal((await login(user.password, '198.51.100.1')).statusCode, 200, 'an address that signed in before does not')
  const page = await browser.request('POST', '/login', { action: 'sign-in', email: user.email, password: user.password })
  t.equal(page.statusCode, 303, 'nor does a device')
  const fields = { current_password: user.password, new_password: 'another long password', repeated: 'another long password' }
  t.equal((await browser.post('/account', { action: 'change-password', ...fields })).statusCode, 303, 'and the password can be changed')
})

t.test('a known device signs in from a new address to a locked account, with its own ten attempts', async t => {
  const throttle = loginThrottle(() => {})
  for (let at = 0; at < 10; at++) await throttle.begin({ address: `192.0.2.${at}`, email: 'a@example.org' })
  await t.rejects(throttle.begin({ address: '203.0.113.1', email: 'a@example.org' }), { code: 'rate_limited' })
  for (let at = 0; at < 10; at++) {
    t.equal((await throttle.begin({ address: '203.0.113.1', email: 'a@example.org', deviceId: 'd' })).purpose.lane, 'known')
  }
  await t.rejects(throttle.begin({ address: '203.0.113.1', email: 'a@example.org', deviceId: 'd' }), { code: 'rate_limited' })
})

t.test('a known address is known for its account only', async t => {
  const throttle = loginThrottle(() => {})
  await (await throttle.begin({ address: '198.51.100.1', email: 'a@example.org' })).succeeded()
  t.equal((await throttle.begin({ address: '198.51.100.1', email: 'a@example.org' })).purpose.lane, 'known')
  t.equal((await throttle.begin({ address: '198.51.100.1', email: 'b@example.org' })).purpose.lane, 'stranger')
  t.equal((await throttle.begin({ address: '198.51.100.2', email: 'a@example.org' })).purpose.lane, 'stranger')
})

t.test('a device token is valid for its account until it expires, and contains no address', async t => {
  const tokens = deviceTokens(new Uint8Array(32).fill(1))
  const now = new Date('2026-11-22T12:00:00Z')
  const token = tokens.mint('a@example.org', now)
  t.type(tokens.read(token, 'a@example.org', now), 'string')
  t.equal(tokens.read(token, 'b@example.org', now), undefined)
  t.equal(tokens.read(token, 'a@example.org', new Date(now.getTime() + deviceLifetimeMs + 1)), undefined)
  t.equal(deviceTokens(new Uint8Array(32).fill(2)).read(token, 'a@example.org', now), undefined)
  for (const forged of ['', 'x', token.slice(0, -1), token.replace(/\.[^.]+\./, '.zzzzzzzzz.')]) {
    t.equal(tokens.read(forged, 'a@example.org', now), undefined)
  }
  t.notMatch(Buffer.from(token, 'base64url').toString('latin1') + token, /example/)
})

t.test('keys and known devices go before unknown logins, which are queued round-robin by origin', async t => {
  // The order in which runs end is a matter of chance.
  const started: string[] = []
  const original = argon2.verify
  t.teardown(() => { argon2.verify = original })
  argon2.verify = async (encoded, name) => {
    started.push(String(name))
    return await original(encoded, name)
  }
  const hash = await hashSecret('a secret')
  const verify = async (name: string, lane: 'key' | 'known' | 'stranger', origin: string) =>
    await verifySecret(hash, name, { lane, origin })
  const runs = Array.from({ length: 40 }, async () => await verify('flood', 'stranger', 'flood'))
  runs.push(verify('quiet', 'stranger', 'quiet'), verify('key', 'key', ''), verify('known', 'known', ''))
  await Promise.all(runs)
  for (const name of ['quiet', 'key', 'known']) t.ok(started.indexOf(name) <= 5, `${name} was number ${started.indexOf(name) + 1}`)
})
