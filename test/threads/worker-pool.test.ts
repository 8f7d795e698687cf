import t, { type Test } from 'tap'
import { WorkerPool, type WorkerPoolOptions } from '../../src/threads/worker-pool.js'
import type { BusyTask } from '../support/busy-thread.js'

function pool (t: Test, options: Partial<WorkerPoolOptions> = {}): WorkerPool<BusyTask, number> {
  const threads = new WorkerPool<BusyTask, number>({
    name: 'The trial',
    program: new URL('../support/busy-thread.js', import.meta.url),
    timeoutMs: 60_000,
    maxHeapMb: 64,
    ...options
  })
  t.teardown(() => threads.close())
  return threads
}

t.test("returns a task's result or error", async t => {
  const threads = pool(t)
  t.strictSame(await Promise.all([1, 2, 3].map(answer => threads.run({ answer }))), [1, 2, 3])
  await t.rejects(threads.run({ fail: 'no such thing' }), { name: 'RangeError', message: 'no such thing' })
  t.equal(await threads.run({ answer: 4 }), 4)
})

t.test('stops a task above its time or memory limit and runs the next', async t => {
  const threads = pool(t, { timeoutMs: 3000 })
  await t.rejects(threads.run({ spin: true }), { message: 'The trial took longer than 3 s and was stopped.' })
  await t.rejects(threads.run({ fill: true }), { message: /needed more than 64 MiB|took longer than 3 s/ })
  // The limit covers the start of the next thread, which can be slow.
  const answer = async () => await threads.run({ answer: 1 }).catch((error: Error) => {
    if (!error.message.includes('took longer than 3 s')) throw error
    return undefined
  })
  let answered: number | undefined
  for (let tries = 0; tries < 5 && answered === undefined; tries++) answered = await answer()
  t.equal(answered, 1)
})

t.test('stops a task above a time limit of its own', async t => {
  await t.rejects(pool(t).run({ spin: true }, { timeoutMs: 100 }), { reason: 'timeout', message: /took longer than 0\.1 s/ })
})

t.test('aborts a waiting or running task', async t => {
  const threads = pool(t)
  const [running, waiting] = [new AbortController(), new AbortController()]
  const tasks = [
    threads.run({ spin: true }, { signal: running.signal }),
    threads.run({ answer: 1 }, { signal: waiting.signal }),
    threads.run({ answer: 2 })
  ]
  waiting.abort(new Error('not any more'))
  await t.rejects(tasks[1]!, { message: 'not any more' })
  running.abort(new Error('stopped'))
  await t.rejects(tasks[0]!, { message: 'stopped' })
  t.equal(await tasks[2], 2)
  await t.rejects(threads.run({}, { signal: AbortSignal.abort(new Error('too late')) }), { message: 'too late' })
})

t.test('schedules owners round-robin with a bounded queue', async t => {
  const threads = pool(t, { maxWaiting: 4 })
  const order: string[] = []
  const run = async (owner: string, name: string) => { await threads.run({ sleepMs: 20 }, { owner }); order.push(name) }
  const tasks = [run('one', 'one 1'), run('one', 'one 2'), run('one', 'one 3'), run('other', 'other 1')]
  await t.rejects(Promise.all([1, 2].map(() => threads.run({}, { owner: 'third' }))), { message: /too much to do/ })
  await Promise.all(tasks)
  t.strictSame(order, ['one 1', 'other 1', 'one 2', 'one 3'])
})

t.test('an owner with one task waits for one task of each other at most', async t => {
  const threads = pool(t)
  const order: string[] = []
  const run = async (owner: string) => { await threads.run({ sleepMs: 5 }, { owner }); order.push(owner) }
  await Promise.all(['one', 'one', 'other', 'other', 'third'].map(run))
  t.strictSame(order, ['one', 'other', 'third', 'one', 'other'])
})

t.test('a closed pool rejects tasks and fails running ones', async t => {
  const threads = pool(t)
  const task = threads.run({ spin: true })
  const failure = t.rejects(task, { message: 'The trial is closed.' })
  await threads.close()
  await failure
  await t.rejects(threads.run({}), { message: 'The trial is closed.' })
})
