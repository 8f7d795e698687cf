import t, { type Test } from 'tap'
import { budgetMb, MemoryBudget, type MemoryLease } from '../../src/threads/memory-budget.js'
import { WorkerPool, type WorkerPoolOptions } from '../../src/threads/worker-pool.js'
import type { BusyTask } from '../support/busy-thread.js'

/** Requests memory, and notes what has it, in order. */
function requester (budget: MemoryBudget) {
  const started: string[] = []
  const leases: Record<string, MemoryLease> = {}
  const request = (name: string, mb: number, resting?: MemoryLease) => budget.request(mb, lease => {
    started.push(name)
    leases[name] = lease
  }, resting)
  return { started, leases, request }
}

t.test('a small request does not overtake a large one', t => {
  const { started, leases, request } = requester(new MemoryBudget(100))
  request('first', 60)
  request('large', 80)
  request('small', 10)
  t.strictSame(started, ['first'])
  leases.first!.release()
  leases.first!.release()
  t.strictSame(started, ['first', 'large', 'small'])
  request('more than there is', 1000)
  leases.large!.release()
  t.equal(started.length, 3)
  leases.small!.release()
  t.equal(started.at(-1), 'more than there is')
  t.end()
})

t.test('idle holders end for others, as many as needed, the longest idle first', t => {
  const { started, leases, request } = requester(new MemoryBudget(100))
  const ended: string[] = []
  const rest = (name: string, mb: number) => leases[name]!.markIdle(mb, () => ended.push(name))
  for (const name of ['one', 'two', 'three']) request(name, 30)
  rest('two', 20)
  rest('one', 25)
  request('next', 40)
  t.strictSame([started.length, ended], [3, ['two']], '75 are in use: 20 of them are enough')
  leases.two!.release()
  t.equal(started.at(-1), 'next')
  leases.three!.release()
  request('again', 60, leases.one)
  t.strictSame([started.at(-1), ended], ['again', ['two']], 'an idle holder goes on with what it has')
  t.end()
})

t.test('both budgets leave memory to the rest of the service on a host of 2 GiB, and grow with it', t => {
  const sumMb = (hostMb: number) => budgetMb('interactive', hostMb * 2 ** 20) + budgetMb('background', hostMb * 2 ** 20)
  t.equal(sumMb(2048), 2048 - 384)
  t.equal(sumMb(1024), sumMb(2048), 'the largest task must have room')
  t.equal(sumMb(8192), 4 * sumMb(2048))
  t.end()
})

const pool = (t: Test, memory: MemoryBudget, options: Partial<WorkerPoolOptions> = {}) => {
  const threads = new WorkerPool<BusyTask, number>({
    name: 'The trial',
    program: new URL('../support/busy-thread.js', import.meta.url),
    timeoutMs: 60_000,
    maxHeapMb: 64,
    memory,
    ...options
  })
  t.teardown(() => threads.close())
  return threads
}

t.test('pools run no more tasks at a time than their heaps have room, and take turns', async t => {
  const memory = new MemoryBudget(100)
  const [one, other] = [pool(t, memory), pool(t, memory)]
  const order: string[] = []
  const run = async (threads: typeof one, name: string, sleepMs: number) => { await threads.run({ sleepMs }); order.push(name) }
  await Promise.all([run(one, 'slow', 300), run(one, 'slow again', 300), run(other, 'fast', 0), run(other, 'fast again', 0)])
  t.strictSame(order, ['slow', 'fast', 'slow again', 'fast again'])
})

t.test('work of one budget does not wait for that of another', async t => {
  const [background, interactive] = [pool(t, new MemoryBudget(64)), pool(t, new MemoryBudget(64))]
  const aborting = new AbortController()
  const endless = background.run({ spin: true }, { signal: aborting.signal })
  t.equal(await interactive.run({ answer: 1 }), 1)
  aborting.abort(new Error('enough'))
  await t.rejects(endless, { message: 'enough' })
})

t.test('an idle thread ends for another pool unless it keeps a state', async t => {
  const memory = new MemoryBudget(70)
  const [one, other] = [pool(t, memory), pool(t, memory)]
  for (let round = 0; round < 2; round++) for (const threads of [one, other]) t.equal(await threads.run({ answer: round }), round)

  const keeping = pool(t, memory, { keepsState: true })
  t.equal(await keeping.run({ answer: 3 }), 3)
  const ended: string[] = []
  const waiting = one.run({ answer: 4 }).then(() => ended.push('waiting'))
  t.equal(await keeping.run({ answer: 5 }), 5, 'its next task has the memory')
  ended.push('keeping')
  await keeping.close()
  await waiting
  t.strictSame(ended, ['keeping', 'waiting'])
})

t.test('a task that is aborted while it waits for memory takes none', async t => {
  const memory = new MemoryBudget(64)
  const [one, other] = [pool(t, memory), pool(t, memory)]
  const [running, waiting] = [new AbortController(), new AbortController()]
  const tasks = [one.run({ spin: true }, { signal: running.signal }), other.run({ answer: 1 }, { signal: waiting.signal })]
  waiting.abort(new Error('not any more'))
  await t.rejects(tasks[1]!, { message: 'not any more' })
  running.abort(new Error('stopped'))
  await t.rejects(tasks[0]!, { message: 'stopped' })
  t.equal(await one.run({ answer: 2 }), 2)
})
