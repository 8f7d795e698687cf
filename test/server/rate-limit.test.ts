import t from 'tap'
import Fastify from 'fastify'
import { loginThrottle } from '../../src/accounts/login-throttle.js'
import { RateLimited } from '../../src/errors/operation-errors.js'
import limitRate from '../../src/server/rate-limit.js'
import { hourMs } from '../../schemas/durations.js'

/** Runs a function while the clock is an hour behind. */
async function anHourBehind<T> (run: () => Promise<T>): Promise<T> {
  const { now } = Date
  Date.now = () => now() - hourMs
  try {
    return await run()
  } finally {
    Date.now = now
  }
}

const retryAfterOf = (error: unknown) => error instanceof RateLimited ? error.retryAfter : NaN

t.test('a clock set back does not extend the announced wait', async t => {
  const app = Fastify()
  const account = { id: 'an account' }
  await app.register(limitRate, { rateLimit: 1 })
  t.teardown(() => app.close())
  await app.countCall({ account })
  t.ok(retryAfterOf(await anHourBehind(async () => await app.countCall({ account })).catch(error => error)) <= 60)

  const throttle = loginThrottle(() => {})
  const attempt = async () => await throttle.begin({ address: '192.0.2.1', email: 'a@example.org' })
  for (let at = 0; at < 10; at++) await attempt()
  t.ok(retryAfterOf(await anHourBehind(attempt).catch(error => error)) <= 15 * 60)
})

t.test('prompts, completions and resources count apart, five for each call', async t => {
  const app = Fastify()
  await app.register(limitRate, { rateLimit: 2 })
  t.teardown(() => app.close())
  const caller = { account: { id: 'an account' }, key: { id: 'a key' } }
  for (let at = 0; at < 10; at++) await app.countLookup(caller)
  await t.rejects(app.countLookup(caller), { code: 'rate_limited' })
  await t.resolves(app.countCall(caller))
  const ofKey = (id: string) => app.countLookup({ ...caller, key: { id } })
  for (let at = 0; at < 40; at++) await ofKey(`key ${at}`)
  await t.rejects(ofKey('another key'), { code: 'rate_limited' }, 'the keys of an account together')
})

t.test('the keys of an account share a limit of five times that of one', async t => {
  const app = Fastify()
  await app.register(limitRate, { rateLimit: 2 })
  t.teardown(() => app.close())
  const call = (id: string, account = 'an account') => app.countCall({ account: { id: account }, key: { id } })
  for (let at = 0; at < 10; at++) await call(`key ${at}`)
  await t.rejects(call('another key'), { code: 'rate_limited' })
  await t.resolves(call('key of another', 'another account'))
  await t.resolves(app.countCall({ account: { id: 'an account' } }), 'people count apart')
})
