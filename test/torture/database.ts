import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migrations } from '../../db/migrations/index.js'
import { proxyTo } from '../support/proxy.js'
import { namesIn, write } from './acknowledged.js'
import { fullDisk } from './full-disk.js'
import { ms, quantile, report } from './report.js'
import {
  type Answered,
  type Environment,
  account,
  administer,
  answer,
  atEnd,
  command,
  emptyDatabase,
  runParts,
  serve,
  temporaryDirectory
} from './service.js'

async function sigkills (): Promise<void> {
  const times = 20
  const environment = { DATA_DIR: temporaryDirectory() }
  let service = await serve(environment)
  const { headers } = await account(environment, service)
  const acknowledged: string[] = []
  const reopened: number[] = []
  let number = 0
  for (let time = 0; time < times; time++) {
    const writing = new AbortController()
    const writers = Array.from({ length: 4 }, async () => {
      while (!writing.signal.aborted) {
        const name = `Project ${++number}`
        if ((await write(service, headers, name)).status === 201) acknowledged.push(name)
      }
    })
    await sleep(500 + Math.random() * 1000)
    await service.kill()
    writing.abort()
    await Promise.all(writers)
    service = await serve(environment)
    reopened.push(service.took)
  }
  const names = await namesIn(service, headers)
  const lost = acknowledged.filter(name => !names.has(name))
  report(
    `${times} SIGKILLs under write load, embedded`,
    'no acknowledged write lost',
    `${lost.length} of ${acknowledged.length} lost`,
    lost.length === 0 && acknowledged.length > times
  )
  report(
    'time from process start after SIGKILL to first response',
    'at most 5 s',
    `median ${ms(quantile(reopened, 0.5))}, longest ${ms(Math.max(...reopened))}`,
    Math.max(...reopened) <= 5000
  )
  await service.stop()
}

async function directoryLock (): Promise<void> {
  const environment = { DATA_DIR: temporaryDirectory() }
  const owner = await serve(environment)
  const bare = await command(['--version'], environment)
  const second = await command(['serve'], environment)
  const took = second.took - bare.took
  const named = second.stderr.includes(`litfeed serve (process ${owner.child.pid}`)
  report(
    'a second process on the directory',
    'rejected within 1 s of its start, with the owner named',
    `exit ${second.code} after ${ms(Math.max(0, took))} (and ${ms(bare.took)} that any command takes), owner ${named ? '' : 'not '}named`,
    second.code === 1 && took <= 1000 && named
  )
  await owner.kill()
  const next = await serve(environment)
  report('the lock of a dead owner', 'taken over', `taken over, first answer after ${ms(next.took)}`, true)
  await next.stop()
}

/** Starts a service with an account, on a new PostgreSQL database behind a failing proxy. */
async function serveThroughProxy () {
  const databaseUrl = await emptyDatabase()
  const proxy = await proxyTo(new URL(databaseUrl))
  atEnd(async () => await proxy.close())
  const address = new URL(databaseUrl)
  address.hostname = '127.0.0.1'
  address.port = String(proxy.port)
  const environment: Environment = { DATA_DIR: temporaryDirectory(), DATABASE_URL: address.href }
  const service = await serve(environment)
  const { headers, key } = await account(environment, service)
  return { databaseUrl, proxy, environment, service, headers, key }
}

/** Sends reads, writes and tool calls at a steady rate during a failure. @returns the responses and the names of acknowledged writes */
async function sendLoad ({ service, headers, key }: Awaited<ReturnType<typeof serveThroughProxy>>, until: () => boolean, perSecond = 10) {
  const answers: Answered[] = []
  const ready: Answered[] = []
  const acknowledged: string[] = []
  const pending = new Set<Promise<unknown>>()
  const note = (call: Promise<unknown>) => { pending.add(call.finally(() => pending.delete(call))) }
  for (let at = 0; !until(); at++) {
    const name = `Project ${Math.random()}`
    if (at % 3 === 0) {
      note(
        write(service, headers, name).then(given => {
          answers.push(given)
          if (given.status === 201) acknowledged.push(name)
        })
      )
    } else if (at % 3 === 1) {
      note(
        answer(`${service.url}/api/projects`, { headers: { 'x-api-key': key } }).then(given => {
          answers.push(given)
        })
      )
    } else {
      note(
        answer(`${service.url}/api/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"projects_list","arguments":{}}}'
        }).then(given => {
          answers.push(given)
        })
      )
    }
    if (at % perSecond === 0) {
      note(
        answer(`${service.url}/readyz`).then(given => {
          ready.push(given)
        })
      )
    }
    await sleep(1000 / perSecond)
  }
  await Promise.all(pending)
  return { answers, ready, acknowledged }
}

const statusesOf = (answers: Answered[]) =>
  [...new Set(answers.map(({ status }) => status))]
    .sort()
    .map(status => `${status}: ${answers.filter(each => each.status === status).length}`)
    .join(', ')
const slowest = (answers: Answered[]) => Math.max(0, ...answers.map(({ took }) => took))

/** Milliseconds until ten successful responses in a row begin; at most a minute. */
async function measureRecovery ({ service, headers }: Awaited<ReturnType<typeof serveThroughProxy>>): Promise<number> {
  const began = performance.now()
  let [right, since] = [0, began]
  while (right < 10 && performance.now() - began < 60_000) {
    const answers = await Promise.all([answer(`${service.url}/readyz`), write(service, headers, `After ${Math.random()}`)])
    if (answers.some(({ status }) => status >= 500 || status === 0)) [right, since] = [0, performance.now()]
    else right++
  }
  return since - began
}

const forSeconds = (seconds: number) => { const end = performance.now() + seconds * 1000; return () => performance.now() > end }

async function terminatedBackends (): Promise<void> {
  const all = await serveThroughProxy()
  const database = new URL(all.databaseUrl).pathname.slice(1)
  const end = forSeconds(30)
  let killed = 0
  const killing = (async () => {
    while (!end()) {
      const rows = await administer(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${database}' and pid <> pg_backend_pid()`
      )
      killed += rows.length
      await sleep(500)
    }
  })()
  const { answers, acknowledged } = await sendLoad(all, end, 20)
  await killing
  const back = await measureRecovery(all)
  const names = await namesIn(all.service, all.headers)
  const lost = acknowledged.filter(name => !names.has(name)).length
  const others = answers.filter(({ status }) => ![200, 201, 503].includes(status))
  const refused = answers.filter(({ status }) => status === 503)
  report(
    `every backend terminated every 500 ms for 30 s (${killed} in all)`,
    'successful responses, or 503 within 3 s; no acknowledged write lost',
    `${statusesOf(answers)}, slowest 503 ${ms(slowest(refused))}, slowest successful response ${ms(slowest(answers.filter(({ status }) => status !== 503)))}, ${lost} of ${acknowledged.length} lost`,
    others.length === 0 && slowest(refused) <= 3000 && lost === 0
  )
  report('recovery without restart', 'within 5 s', ms(back), back <= 5000)
  await all.service.stop()
}

async function stoppedServer (): Promise<void> {
  const all = await serveThroughProxy()
  await all.proxy.away()
  const { answers, ready } = await sendLoad(all, forSeconds(60))
  const alive = await answer(`${all.service.url}/healthz`)
  await all.proxy.back()
  const back = await measureRecovery(all)
  report(
    'PostgreSQL unreachable for 60 s',
    'all 503 within 3 s, /readyz too, /healthz 200',
    `${statusesOf(answers)}, slowest ${ms(slowest(answers))}; /readyz ${statusesOf(ready)}; /healthz ${alive.status}`,
    [...answers, ...ready].every(({ status, took }) => status === 503 && took <= 3000) && alive.status === 200
  )
  report('recovery without restart', 'within 5 s', ms(back), back <= 5000)
  await all.service.stop()
}

async function halfOpenConnections (): Promise<void> {
  const all = await serveThroughProxy()
  // Every connection of the pool is open when the network fails, and some are in use.
  await Promise.all(
    Array.from({ length: 30 }, async () => await answer(`${all.service.url}/api/projects`, { headers: { 'x-api-key': all.key } }))
  )
  all.proxy.stuck()
  const { answers, ready } = await sendLoad(all, forSeconds(20))
  await all.proxy.back()
  const back = await measureRecovery(all)
  report(
    'half-open connections for 20 s',
    'all 503 within 3 s, /readyz too',
    `${statusesOf(answers)}, slowest ${ms(slowest(answers))}; /readyz ${statusesOf(ready)}, slowest ${ms(slowest(ready))}`,
    [...answers, ...ready].every(({ status, took }) => status === 503 && took <= 3000)
  )
  report('recovery without restart', 'within 5 s', ms(back), back <= 5000)
  await all.service.stop()
}

async function exhaustedPool (): Promise<void> {
  const all = await serveThroughProxy()
  // One account alone holds half of the pool at most.
  const keys = await Promise.all(Array.from({ length: 2 }, async () => (await account(all.environment, all.service)).key))
  const locker = new pg.Client({ connectionString: all.databaseUrl })
  locker.on('error', () => {})
  await locker.connect()
  await locker.query('begin')
  await locker.query('lock table project in access exclusive mode')
  // These wait for the lock and hold the whole pool; background work may hold some of it too.
  const holders = keys.flatMap(key => Array.from(
    { length: 5 },
    async () => await answer(`${all.service.url}/api/projects`, { headers: { 'x-api-key': key }, signal: AbortSignal.timeout(60_000) })
  ))
  await sleep(1000)
  const { answers, ready } = await sendLoad(all, forSeconds(8))
  const alive = await answer(`${all.service.url}/healthz`)
  await locker.query('rollback')
  await locker.end()
  const held = await Promise.all(holders)
  const back = await measureRecovery(all)
  report(
    'connection pool exhausted for 9 s by statements of two accounts that wait for a lock',
    'others 503 within 3 s, /readyz too, /healthz 200',
    `${statusesOf(answers)}, slowest ${ms(slowest(answers))}; /readyz ${statusesOf(ready)}; /healthz ${alive.status}; those that waited ${statusesOf(held)}`,
    [...answers, ...ready].every(({ status, took }) => status === 503 && took <= 3000) && alive.status === 200
  )
  report('recovery without restart', 'within 5 s', ms(back), back <= 5000)
  await all.service.stop()
}

async function concurrentStarts (): Promise<void> {
  const rounds = 3
  const faults: string[] = []
  const took: number[] = []
  for (let round = 0; round < rounds; round++) {
    const databaseUrl = await emptyDatabase()
    const environment = { DATABASE_URL: databaseUrl, DATA_DIR: temporaryDirectory(), LOG_LEVEL: 'warn' }
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, async () => await serve(environment)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') faults.push(String(outcome.reason))
      else {
        took.push(outcome.value.took)
        if (outcome.value.complaints() !== '') faults.push(outcome.value.complaints())
      }
    }
    const ran = await administer('select name from kysely_migration', databaseUrl)
    if (ran.length !== Object.keys(migrations).length) faults.push(`${ran.length} migrations are recorded`)
    for (const outcome of outcomes) if (outcome.status === 'fulfilled') await outcome.value.stop()
  }
  report(
    `five processes that start concurrently on an empty database, ${rounds} times`,
    'each migration once, all serve',
    faults.length === 0 ? `all serve, the slowest after ${ms(Math.max(...took))}` : `${faults.length} faults: ${faults[0]!.slice(0, 500)}`,
    faults.length === 0
  )
}

await runParts({
  sigkills,
  directoryLock,
  terminatedBackends,
  stoppedServer,
  halfOpenConnections,
  exhaustedPool,
  concurrentStarts,
  fullDisk
})
