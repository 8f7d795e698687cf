import t from 'tap'
import { checkAttempt, type LoginCaller, loginThrottle } from '../../src/accounts/login-throttle.js'

const day = 86_400_000
const limited = { code: 'rate_limited', retryAfter: 15 * 60 }

/** A throttle with the outcomes that it reported. */
function observedThrottle () {
  const outcomes: string[] = []
  const throttle = loginThrottle(outcome => { outcomes.push(outcome) })
  const begin = async (email: string, address: string, deviceId?: string) => await throttle.begin({ email, address, deviceId })
  /** How many attempts are left to a caller; uses them up. */
  const exhaust = async (callerAt: (at: number) => LoginCaller) => {
    for (let at = 0; at < 100; at++) {
      try {
        await throttle.begin(callerAt(at))
      } catch {
        return at
      }
    }
  }
  return { throttle, outcomes, begin, exhaust }
}

t.test('login attempts in 15 minutes are limited to', async t => {
  t.test('ten for an account from any addresses', async t => {
    const { exhaust, begin } = observedThrottle()
    t.equal(await exhaust(at => ({ email: 'a', address: `${at}` })), 10)
    await t.rejects(begin('a', 'x'), limited)
    await t.resolves(begin('b', 'x'))
  })

  t.test('thirty from an address for any accounts', async t => {
    const { exhaust, begin } = observedThrottle()
    t.equal(await exhaust(at => ({ email: `${at}`, address: 'a' })), 30)
    await t.rejects(begin('x', 'a'), limited)
  })

  t.test('ten from a known device or address, apart from those of strangers', async t => {
    const { exhaust, begin } = observedThrottle()
    await (await begin('a', 'home')).succeeded()
    t.equal(await exhaust(at => ({ email: 'a', address: `${at}` })), 10)
    t.equal(await exhaust(() => ({ email: 'a', address: 'home' })), 10)
    t.equal(await exhaust(at => ({ email: 'a', address: `${at}`, deviceId: 'phone' })), 10)
    t.equal(await exhaust(() => ({ email: 'b', address: 'home' })), 10, 'known for another account')
  })
})

t.test('each outcome of a login is reported', async t => {
  const { exhaust, begin, outcomes } = observedThrottle()
  await (await begin('a', 'home')).failed()
  await (await begin('a', 'home')).succeeded()
  await (await begin('a', 'home')).failed()
  await (await begin('a', 'home')).succeeded()
  t.strictSame(outcomes, ['wrong', 'ok', 'wrong', 'ok'])
  await exhaust(() => ({ email: 'a', address: 'home' }))
  t.strictSame(outcomes.slice(4), ['limited'])
})

t.test('right logins are limited to 200 for an account, and wrong ones of strangers do not count', async t => {
  const { begin, outcomes } = observedThrottle()
  for (let at = 0; at < 12; at++) await (await begin('a', `wrong ${at % 2}`).catch(() => undefined))?.failed()
  for (let at = 0; at < 200; at++) await (await begin('a', 'home', `device ${at}`)).succeeded()
  await t.rejects(begin('a', 'home', 'another device'), limited)
  await t.rejects(begin('a', 'home'), limited)
  t.equal(outcomes.at(-1), 'limited')
  await t.resolves(begin('b', 'home', 'device'))
  for (let at = 0; at < 200; at++) await (await begin('c', `address ${at}`)).succeeded()
  await t.rejects(begin('c', 'another address'), limited)
})

t.test('wrong passwords of a known caller use up no right login', async t => {
  const { begin } = observedThrottle()
  for (let at = 0; at < 210; at++) await (await begin('a', 'home', `device ${at}`)).failed()
  await t.resolves(begin('a', 'home', 'another device'))
})

t.test('an attempt whose check fails does not count', async t => {
  const { begin, exhaust } = observedThrottle()
  await t.rejects(checkAttempt(await begin('a', 'home'), async () => { throw new Error('queue full') }), { message: 'queue full' })
  t.equal(await checkAttempt(await begin('b', 'home'), async ({ lane }) => lane), 'stranger')
  t.equal(await exhaust(at => ({ email: 'a', address: `${at}` })), 10)
  t.equal(await exhaust(at => ({ email: 'b', address: `${at}` })), 9)
})

t.test('logins of a known caller have a lane of their own', async t => {
  const { begin } = observedThrottle()
  const first = await begin('a', 'home')
  t.strictSame(first.purpose, { lane: 'stranger', origin: 'home' })
  await first.succeeded()
  t.match((await begin('a', 'home')).purpose, { lane: 'known', origin: /^[\w+/]{43}=$/ })
  t.strictSame((await begin('a', 'elsewhere', 'phone')).purpose, { lane: 'known', origin: 'phone' })
})

t.test('an attempt that could not be checked does not count', async t => {
  const { begin, exhaust } = observedThrottle()
  const unchecked = [await begin('a', 'home'), await begin('a', 'elsewhere', 'phone')]
  for (const attempt of unchecked) await attempt.undo()
  t.equal(await exhaust(() => ({ email: 'a', address: 'elsewhere', deviceId: 'phone' })), 10)
  t.equal(await exhaust(() => ({ email: 'a', address: 'home' })), 10)
  t.equal(await exhaust(at => ({ email: `${at}`, address: 'home' })), 19, 'of thirty, ten were of the account, and one was refused')
})

t.test('a successful login resets the attempts of a known caller', async t => {
  const { begin, exhaust } = observedThrottle()
  for (let at = 0; at < 9; at++) await begin('a', 'home', 'phone')
  await (await begin('a', 'home', 'phone')).succeeded()
  t.equal(await exhaust(() => ({ email: 'a', address: 'home', deviceId: 'phone' })), 10)
})

t.test('a reset clears the attempts of the account and of the known caller', async t => {
  const { throttle, begin, exhaust } = observedThrottle()
  await (await begin('a', 'home')).succeeded()
  const callers: LoginCaller[] = [{ email: 'a', address: 'home' }, { email: 'a', address: 'x', deviceId: 'phone' }]
  for (const caller of callers) await exhaust(() => caller)
  await exhaust(at => ({ email: 'a', address: `${at}` }))
  for (const caller of callers) {
    await throttle.reset(caller)
    t.equal(await exhaust(() => caller), 10)
  }
  t.equal(await exhaust(at => ({ email: 'a', address: `new ${at}` })), 10)
})

t.test('an address is known for thirty days after a login', async t => {
  const original = performance.now
  t.teardown(() => { performance.now = original })
  let passed = 0
  performance.now = () => original.call(performance) + passed
  const { begin } = observedThrottle()
  await (await begin('a', 'home')).succeeded()
  await new Promise(resolve => setTimeout(resolve, 5))
  const laneAfter = async (ms: number) => {
    passed = ms
    await new Promise(resolve => setTimeout(resolve, 5))
    return (await begin('a', 'home')).purpose.lane
  }
  t.equal(await laneAfter(29 * day), 'known')
  t.equal(await laneAfter(31 * day), 'stranger')
})
