import { promisify } from 'node:util'
import Fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
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
  const pending = Array.from({ length: 202 }, async () => await app.inject('/busy'))
  await begun(2)
  await settle()
  t.equal(gates.length, 2, 'two run')
  const refused = await app.inject('/busy')
  t.strictSame([refused.statusCode, refused.headers['retry-after'], refused.json().code], [429, '5', 'rate_limited'])
  const other = app.inject('/other')
  await begun(3)
  t.equal(gates.length, 3, 'another account is not affected')
  for (let done = 0; done < 203; done++) {
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

/** Abandons two requests, and lets 0.2 s pass, in which timers run faster. */
async function abandonTwo (
  t: Test,
  { app, begun }: Awaited<ReturnType<typeof gatedServer>>,
  { url, speed }: { url: string, speed: number }
): Promise<void> {
  const controllers = [new AbortController(), new AbortController()]
  const requests = controllers.map(({ signal }) => fetch(`${url}/busy`, { signal }).catch(() => {}))
  await begun(2)
  const { setTimeout } = globalThis
  const { restore } = t.intercept(globalThis, 'setTimeout', {
    configurable: true,
    value: (run: () => void, ms: number, ...args: []) => setTimeout(run, ms / speed, ...args)
  })
  for (const controller of controllers) controller.abort()
  await Promise.all(requests)
  await until(async () => await promisify(app.server.getConnections.bind(app.server))() === 0)
  await new Promise(resolve => { setTimeout(resolve, 200) })
  restore()
}

t.test('slots of abandoned requests stay taken for as long as these are processed', async t => {
  const server = await gatedServer(t)
  const { app, gates, begun, settle } = server
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  // Five minutes pass.
  await abandonTwo(t, server, { url, speed: 1500 })
  const next = fetch(`${url}/busy`)
  await settle()
  t.equal(gates.length, 2)
  gates[0]!()
  await begun(3)
  for (const open of gates) open()
  t.equal((await next).status, 200)
})

t.test('slots of abandoned requests that never end are freed after hours', async t => {
  const server = await gatedServer(t)
  const { app, gates, begun } = server
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  // Five hours pass.
  await abandonTwo(t, server, { url, speed: 90_000 })
  const next = fetch(`${url}/busy`)
  await begun(3)
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

t.test('a connection that closes while its caller is looked up runs no handler, which would have no slot', async t => {
  const app = Fastify()
  t.teardown(async () => await app.close())
  await app.register(errors)
  await app.register(concurrency, { maxConcurrentRequests: 2 })
  let hasRun = false
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    reply.raw.destroy()
    await app.admitRequest('account', request, reply)
  }
  app.get('/', { onRequest }, async () => { hasRun = true })
  await t.rejects(fetch(await app.listen({ port: 0, host: '127.0.0.1' })))
  t.notOk(hasRun)
})
