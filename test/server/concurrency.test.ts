import Fastify from 'fastify'
import t, { type Test } from 'tap'
import concurrency from '../../src/server/concurrency.js'
import errors from '../../src/server/errors.js'
import { until } from '../support/until.js'

/** A server with two slots per account, whose handler waits until the test lets it go on. */
async function gatedServer (t: Test) {
  const app = Fastify()
  const gates: Array<() => void> = []
  await app.register(errors)
  await app.register(concurrency, { maxConcurrentRequests: 2 })
  app.get(
    '/:account',
    { onRequest: async (request, reply) => await app.admitRequest((request.params as { account: string }).account, request, reply) },
    async () => {
      await new Promise<void>(resolve => {
        gates.push(resolve)
      })
      return {}
    }
  )
  t.teardown(async () => await app.close())
  /** Waits until so many handlers have begun. */
  const begun = async (handlers: number) => await until(async () => gates.length >= handlers)
  /** Time in which another handler would begin if it were not held back. */
  const settle = async () => await new Promise(resolve => setTimeout(resolve, 50))
  return { app, gates, begun, settle }
}

t.test("queues requests above an account's slots in order, then returns 429", async t => {
  const { app, gates, begun, settle } = await gatedServer(t)
  const pending = Array.from({ length: 102 }, async () => await app.inject('/busy'))
  await begun(2)
  await settle()
  t.equal(gates.length, 2, 'two run')
  const refused = await app.inject('/busy')
  t.strictSame([refused.statusCode, refused.headers['retry-after'], refused.json().code], [429, '5', 'rate_limited'])
  const other = app.inject('/other')
  await begun(3)
  t.equal(gates.length, 3, 'another account is not affected')
  for (let done = 0; done < 103; done++) {
    await begun(done + 1)
    gates[done]!()
  }
  t.ok([...await Promise.all(pending), await other].every(({ statusCode }) => statusCode === 200))
})

t.test('a slot stays taken while an abandoned request is still processed', async t => {
  const { app, gates, begun, settle } = await gatedServer(t)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  for (const handlers of [1, 2]) {
    const controller = new AbortController()
    const request = fetch(`${url}/busy`, { signal: controller.signal }).catch(() => {})
    await begun(handlers)
    controller.abort()
    await request
  }
  const next = fetch(`${url}/busy`)
  await settle()
  t.equal(gates.length, 2, 'the next one waits')
  gates[0]!()
  await begun(3)
  t.equal(gates.length, 3, 'and starts when an abandoned one is done')
  for (const open of gates) open()
  t.equal((await next).status, 200)
})

t.test('an abandoned request leaves the queue', async t => {
  const { app, gates, begun, settle } = await gatedServer(t)
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  const running = [fetch(`${url}/busy`), fetch(`${url}/busy`)]
  await begun(2)
  const controller = new AbortController()
  const waiting = fetch(`${url}/busy`, { signal: controller.signal }).catch(() => {})
  await settle()
  controller.abort()
  await waiting
  await settle()
  for (const open of gates) open()
  await Promise.all(running)
  await settle()
  t.equal(gates.length, 2)
})
