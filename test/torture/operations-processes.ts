import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { parametersOf } from '../support/stand-ins/server.js'
import { until } from '../support/until.js'
import { callTool, metric, reader, send } from './operations-calls.js'
import { report } from './report.js'
import { administer, atEnd, emptyDatabase, type Environment, type Service, serve, temporaryDirectory } from './service.js'

const projectCount = 24
const durationSeconds = Number(process.env.PROCESSES_SECONDS ?? 8)

/** Runs several processes on one PostgreSQL: any process serves any request, and they share keys, jobs and schedules. */
export async function processes (): Promise<void> {
  const outside = await europepmcStandIn(undefined, [
    { title: 'Sleep and memory', abstract: 'Of sleep.', date: new Date().toISOString().slice(0, 10), pmid: '48000000' }
  ])
  atEnd(outside.close)
  const environment = { DATABASE_URL: await emptyDatabase(), EUROPEPMC_URL: outside.url }
  // They start at the same time on an empty database; one of them migrates it.
  const services = await Promise.all(Array.from({ length: 4 }, async () => await serve({ ...environment, DATA_DIR: temporaryDirectory() })))
  report('4 processes started at the same time on an empty database', 'all ready', `${services.length} ready`, true)
  await anyRequestAnywhere(environment, services)
  await sharedWork(environment, services, outside)
  for (const { stop } of services) await stop()
}

async function anyRequestAnywhere (environment: Environment, services: Service[]): Promise<void> {
  const { key, token, project, password, email } = await reader(environment, services[0]!)
  let wrong = 0
  for (let at = 0; at < 100; at++) {
    const { url } = services[at % services.length]!
    const { id } = await send(url, 'POST', '/api/projects', token, { name: `Project ${at}`, interest_description: 'sleep' })
    const elsewhere = services[(at + 1) % services.length]!.url
    if ((await callTool(elsewhere, key, 'projects_get', { project_id: id })).id !== id) wrong++
    await send(services[(at + 2) % services.length]!.url, 'DELETE', `/api/projects/${id}`, token)
  }
  report('read-after-write through another process, 100 times', 'always found', `${wrong} times not found`, wrong === 0)
  const tokens = await send(services[1]!.url, 'POST', '/api/auth/login', undefined, { email, password })
  await send(services[2]!.url, 'POST', '/api/auth/refresh', undefined, { refresh_token: tokens.refresh_token })
  const { url: atom } = await callTool(services[3]!.url, key, 'feed_atom_url', { project_id: project })
  const { status } = await fetch(services[0]!.url + new URL(atom).pathname + new URL(atom).search)
  report('an Atom feed URL of one process, requested from another', '200', String(status), status === 200)

  const slowest: number[] = []
  for (let round = 0; round < 10; round++) {
    const { api_key } = await send(services[round % 4]!.url, 'POST', '/api/auth/mcp-key/rotate', token)
    // Every process has verified the key now.
    await Promise.all(services.map(async ({ url }) => await callTool(url, api_key, 'projects_list', {})))
    await send(services[(round + 1) % 4]!.url, 'DELETE', '/api/auth/mcp-key', token)
    const revoked = performance.now()
    await Promise.all(
      services.map(
        async ({ url }) =>
          await until(async () => (await fetch(`${url}/api/projects`, { headers: { 'x-api-key': api_key } })).status === 401)
      )
    )
    slowest.push(performance.now() - revoked)
  }
  report(
    'a revoked key rejected by all four',
    'within 1000 ms',
    `slowest of 10 after ${Math.round(Math.max(...slowest))} ms`,
    Math.max(...slowest) <= 1000
  )
}

async function sharedWork (
  environment: Environment,
  services: Service[],
  outside: Awaited<ReturnType<typeof europepmcStandIn>>
): Promise<void> {
  const { token } = await reader(environment, services[0]!)
  outside.requests.length = 0
  // New sources are due immediately, so the schedule of every process sees them within seconds.
  for (let at = 0; at < projectCount; at++) {
    await send(services[at % 4]!.url, 'POST', '/api/projects', token, {
      name: `Due ${at}`,
      interest_description: 'sleep',
      sources: [{ name: 'europepmc', query: `sleep AND topic${at}` }]
    })
  }
  const done = async (url: string) => await metric(url, 'litfeed_job_duration_seconds_count', 'task="fetch-project",outcome="done"')
  const byProcess = async () => await Promise.all(services.map(async ({ url }) => await done(url)))
  const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)
  const end = Date.now() + 120_000
  while (sum(await byProcess()) < projectCount && Date.now() < end) await sleep(500)
  // Every schedule ticks twice more, so a second fetch would show.
  await sleep(11_000)
  const counts = await byProcess()
  const [queued] = await administer(
    'select count(*)::int as jobs, count(distinct project_id)::int as projects from job join project on project.id = job.project_id ' +
    "where task = 'fetch-project' and name like 'Due %'",
    environment.DATABASE_URL
  )
  report(
    `${projectCount} projects due at the same time, four schedules`,
    `${projectCount} fetches, one for each`,
    `${queued.jobs} fetches for ${queued.projects} projects`,
    queued.jobs === projectCount && queued.projects === projectCount
  )
  report(
    'the fetches',
    'distributed over several processes',
    `${counts.join(', ')} done by each, fetches of other projects included`,
    counts.filter(count => count > 0).length > 1
  )
  // A fetch sends one or more requests; the first has the initial cursor.
  const questions = outside.requests
    .map(parametersOf)
    .filter(request => request.get('cursorMark') === '*')
    .map(request => /topic\d+/.exec(request.get('query') ?? '')?.[0])
    .filter(topic => topic !== undefined)
  const once = questions.filter((topic, at) => questions.indexOf(topic) === at).length
  report(
    'fetches that reached the source',
    `${projectCount}, no duplicates`,
    `${once} different, ${questions.length} in all`,
    once === projectCount && questions.length === once
  )
}

/** Measures reads through a proxy from one, two and four processes. */
export async function throughput (): Promise<void> {
  const environment = { DATABASE_URL: await emptyDatabase(), JOBS: 'off' }
  const services = [await serve({ ...environment, DATA_DIR: temporaryDirectory() })]
  const { key, project } = await reader(environment, services[0]!)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  for (const count of [1, 2, 4]) {
    while (services.length < count) services.push(await serve({ ...environment, DATA_DIR: temporaryDirectory() }))
    const proxy = await startProxy(services.map(({ url }) => new URL(url).host))
    const message = (method: string, params: object) => ({
      url: `${proxy.url}/api/mcp`,
      method: 'POST' as const,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    })
    for (const [what, options] of Object.entries({
      'feed_get over REST': { url: `${proxy.url}/api/projects/${project}/feed` },
      'feed_search over MCP': message('tools/call', { name: 'feed_search', arguments: { project_id: project, q: 'sleep memory' } }),
      'tools/list over MCP': message('tools/list', {})
    })) {
      await autocannon({ ...options, headers, connections: 40, duration: 2 })
      const { requests, latency, non2xx, errors } = await autocannon({ ...options, headers, connections: 40, duration: durationSeconds })
      report(
        `${what}, ${count} processes behind ${proxy.kind}`,
        'no error',
        `${Math.round(requests.average).toLocaleString('en')}/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${non2xx + errors} errors, load ${loadavg()[0]!.toFixed(1)}`,
        non2xx + errors === 0
      )
    }
  }
}

/** Starts nginx in front of the processes if it is installed; otherwise returns the first process. */
async function startProxy (hosts: string[]): Promise<{ url: string, kind: string }> {
  if (spawnSync('nginx', ['-v']).status !== 0) return { url: `http://${hosts[0]}`, kind: 'no proxy, only the first' }
  const directory = temporaryDirectory()
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  mkdirSync(join(directory, 'temp'))
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(what => `${what}_temp_path ${directory}/temp/${what};`).join(' ')
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; worker_processes 1; events { worker_connections 1024; }
http { access_log off; ${temp}
  upstream litfeed { ${hosts.map(host => `server ${host};`).join(' ')} keepalive 64; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://litfeed; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } } }`
  )
  const child = spawn('nginx', ['-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')], { stdio: 'inherit' })
  atEnd(() => child.kill('SIGTERM'))
  const url = `http://127.0.0.1:${port}`
  await until(async () => await fetch(`${url}/healthz`).then(({ ok }) => ok, () => false))
  return { url, kind: 'nginx' }
}
