import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import autocannon from 'autocannon'
import { runCommand, temporaryDirectory } from '../../bench/process.js'
import { packageRoot } from '../../src/version.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { until } from '../support/until.js'
import { onNewDatabase } from './operations-database.js'
import { callTool, environmentOf, metric, reader, send, type Served, serve, serverUrl } from './operations-service.js'
import { note, verdict } from './verdict.js'

const samples = ['pubmed.xml', 'pubmed.nbib', 'references.bib'].map(name => fileURLToPath(new URL(`samples/${name}`, packageRoot)))
const projects = 24
const seconds = Number(process.env.PROCESSES_SECONDS ?? 8)

/** Several processes on one PostgreSQL: any request to any of them, keys, jobs and schedules shared, and what more of them bring. */
export async function severalProcesses (): Promise<void> {
  if (serverUrl === undefined) return note('left out: TORTURE_DATABASE_URL names no PostgreSQL')
  await onNewDatabase(serverUrl, async url => {
    const outside = await europepmcStandIn(undefined, [{ title: 'Sleep and memory', abstract: 'Of sleep.', date: new Date().toISOString().slice(0, 10), pmid: '48000000' }])
    const environment = environmentOf(url, { EUROPEPMC_URL: outside.url, LOG_LEVEL: 'warn', HOST: '127.0.0.1' })
    // All at once on an empty database: one of them makes its tables.
    const services = await Promise.all(Array.from({ length: 4 }, async () => await serve({ ...environment, DATA_DIR: temporaryDirectory() })))
    try {
      verdict('4 processes started at once on an empty database', 'all ready', (await Promise.all(services.map(async ({ url }) => (await fetch(`${url}/readyz`)).status))).join(' '), true)
      await anyRequestAnywhere(environment, services)
      await sharedWork(environment, services, outside)
    } finally {
      await Promise.all(services.map(({ stop }) => stop()))
      await outside.close()
    }
  })
  await onNewDatabase(serverUrl, async url => await throughput(environmentOf(url, { LOG_LEVEL: 'info', JOBS: 'off' })))
}

async function anyRequestAnywhere (environment: Record<string, string>, services: Served[]): Promise<void> {
  const { key, token, project, password, email } = await reader(environment, services[0]!, { files: samples })
  let wrong = 0
  for (let at = 0; at < 100; at++) {
    const { url } = services[at % services.length]!
    const { id } = await send(url, 'POST', '/api/projects', token, { name: `Project ${at}`, interest_description: 'sleep' })
    const elsewhere = services[(at + 1) % services.length]!.url
    if ((await callTool(elsewhere, key, 'projects_get', { project_id: id })).id !== id) wrong++
    await send(services[(at + 2) % services.length]!.url, 'DELETE', `/api/projects/${id}`, token)
  }
  verdict('what one process wrote, read through the next at once, 100 times', 'always there', `${wrong} times not`, wrong === 0)
  const tokens = await send(services[1]!.url, 'POST', '/api/auth/login', undefined, { email, password })
  await send(services[2]!.url, 'POST', '/api/auth/refresh', undefined, { refresh_token: tokens.refresh_token })
  const { url: atom } = await callTool(services[3]!.url, key, 'feed_atom_url', { project_id: project })
  verdict('an Atom address from one process, opened at another', '200', (await fetch(services[0]!.url + new URL(atom).pathname + new URL(atom).search)).status, true)

  const slowest: number[] = []
  for (let round = 0; round < 10; round++) {
    const { api_key } = await send(services[round % 4]!.url, 'POST', '/api/auth/mcp-key/rotate', token)
    // Every process believes it now.
    await Promise.all(services.map(async ({ url }) => await callTool(url, api_key, 'projects_list', {})))
    await send(services[(round + 1) % 4]!.url, 'DELETE', '/api/auth/mcp-key', token)
    const revoked = performance.now()
    await Promise.all(services.map(async ({ url }) => await until(async () => (await fetch(`${url}/api/projects`, { headers: { 'x-api-key': api_key } })).status === 401)))
    slowest.push(performance.now() - revoked)
  }
  verdict('a revoked key, refused by all four', 'within 1000 ms', `${Math.round(Math.max(...slowest))} ms at the latest of 10`, Math.max(...slowest) <= 1000)
}

async function sharedWork (environment: Record<string, string>, services: Served[], outside: Awaited<ReturnType<typeof europepmcStandIn>>): Promise<void> {
  const { email, token } = await reader(environment, services[0]!, { email: 'work@example.org' })
  outside.asked.length = 0
  // New sources are due at once: every process's schedule sees them in the same seconds.
  const ids: string[] = []
  for (let at = 0; at < projects; at++) {
    const { id } = await send(services[at % 4]!.url, 'POST', '/api/projects', token, { name: `Due ${at}`, interest_description: 'sleep', sources: [{ name: 'europepmc', query: `sleep AND topic${at}` }] })
    ids.push(id)
  }
  const done = async (url: string) => await metric(url, 'litfeed_job_duration_seconds_count', 'task="fetch-project",outcome="done"')
  const byProcess = async () => await Promise.all(services.map(async ({ url }) => await done(url)))
  const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0)
  const end = Date.now() + 120_000
  while (sum(await byProcess()) < projects && Date.now() < end) await sleep(500)
  // Two more looks of every schedule, so that what runs twice would be seen.
  await sleep(11_000)
  const counts = await byProcess()
  verdict(`${projects} projects due at once, four schedules`, `${projects} fetches, one for each`, `${counts.join(' + ')} = ${sum(counts)}`, sum(counts) === projects)
  verdict('the fetches', 'spread over several processes', `${counts.filter(count => count > 0).length} of 4 worked`, counts.filter(count => count > 0).length > 1)
  const questions = outside.asked.map(({ url, body }) => /topic\d+/.exec(decodeURIComponent(url.search + body.toString()))?.[0]).filter(topic => topic !== undefined)
  const once = questions.filter((topic, at) => questions.indexOf(topic) === at).length
  verdict('questions that reached the source', `${projects}, none a second time`, `${once} different, ${questions.length} in all`, once === projects && questions.length === once)
  const { items } = await runCommand(['project', 'list', '--email', email], environment)
  note(`${items.filter(({ counts }: { counts: { papers: number } }) => counts.papers > 0).length} of ${items.length} projects have their paper`)
}

/** Reads through a proxy, as people would have it, from one, two and four processes. */
async function throughput (environment: Record<string, string>): Promise<void> {
  const services: Served[] = []
  try {
    services.push(await serve({ ...environment, DATA_DIR: temporaryDirectory() }))
    const { key, project } = await reader(environment, services[0]!, { files: samples })
    for (const count of [1, 2, 4]) {
      while (services.length < count) services.push(await serve({ ...environment, DATA_DIR: temporaryDirectory() }))
      const proxy = await startProxy(services.map(({ port }) => port))
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      for (const [what, options] of Object.entries({
        'feed_get over REST': { url: `${proxy.url}/api/projects/${project}/feed` },
        'feed_search over MCP': { url: `${proxy.url}/api/mcp`, method: 'POST' as const, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'feed_search', arguments: { project_id: project, q: 'sleep memory' } } }) },
        'tools/list over MCP': { url: `${proxy.url}/api/mcp`, method: 'POST' as const, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }
      })) {
        await autocannon({ ...options, headers, connections: 40, duration: 2 })
        const { requests, latency, non2xx, errors } = await autocannon({ ...options, headers, connections: 40, duration: seconds })
        verdict(`${what}, ${count} processes behind ${proxy.kind}`, 'no error', `${Math.round(requests.average).toLocaleString('en')}/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms, load ${loadavg()[0]!.toFixed(1)}, ${non2xx + errors} errors`, non2xx + errors === 0)
      }
      proxy.child?.kill('SIGTERM')
    }
  } finally {
    await Promise.all(services.map(({ stop }) => stop()))
  }
}

/** nginx before the processes, where it is installed; else the first of them alone. */
async function startProxy (ports: number[]): Promise<{ url: string, kind: string, child: ChildProcess | undefined }> {
  if (spawnSync('nginx', ['-v']).status !== 0) return { url: `http://127.0.0.1:${ports[0]}`, kind: 'no proxy, the first alone', child: undefined }
  const directory = temporaryDirectory()
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  mkdirSync(join(directory, 'temp'))
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(what => `${what}_temp_path ${directory}/temp/${what};`).join(' ')
  writeFileSync(join(directory, 'nginx.conf'), `daemon off; pid ${directory}/pid; error_log ${directory}/error.log; worker_processes 1; events { worker_connections 1024; }
http { access_log off; ${temp}
  upstream litfeed { ${ports.map(each => `server 127.0.0.1:${each};`).join(' ')} keepalive 64; }
  server { listen 127.0.0.1:${port}; location / { proxy_pass http://litfeed; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_set_header Host $host; } } }`)
  const child = spawn('nginx', ['-c', join(directory, 'nginx.conf'), '-e', join(directory, 'error.log')], { stdio: 'inherit' })
  const url = `http://127.0.0.1:${port}`
  await until(async () => await fetch(`${url}/healthz`).then(({ ok }) => ok, () => false))
  return { url, kind: 'nginx', child }
}
