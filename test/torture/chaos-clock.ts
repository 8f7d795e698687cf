import { setTimeout as sleep } from 'node:timers/promises'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { createBystander, fillDatabase, withBystander } from './bystander.js'
import { serveDisturbed } from './disturbed-service.js'
import { callTool, metric, onBothKinds, reader, send } from './operations-calls.js'
import { ms, report } from './report.js'
import { answer, atEnd } from './service.js'
import { hourMs } from '../../schemas/durations.js'

const rateLimit = 900
const maxJobMs = 30_000
const bystanderSeconds = 5
/** Every step is a jump of an hour. */
const steps = [['one hour ahead', hourMs], ['back again', 0], ['one hour behind', -hourMs], ['forward again', 0]] as const

/**
 * Moves the clock of the service, and with it the clock of the embedded database, by an hour in each direction and back. After each jump,
 * credentials work, a job that was running and a new one each end once, and the rate limiter lets calls pass within its window.
 */
export const clock = (): Promise<void> => onBothKinds(async (kind, own) => {
  const day = new Date(Date.now() - 2 * 24 * hourMs).toISOString().slice(0, 10)
  const papers: Publication[] = [{ title: 'Sleep and memory', abstract: 'Of sleep.', date: day, pmid: '48000000' }]
  const outside = await europepmcStandIn(undefined, papers)
  atEnd(outside.close)
  const environment = { ...own, EUROPEPMC_URL: outside.url, RATE_LIMIT: String(rateLimit) }
  const bystander = await fillDatabase(environment, createBystander)
  const { service, disturb } = await serveDisturbed(environment)
  const { url } = service
  const { email, password, key, project } = await reader(environment, service, ['europepmc=sleep'])
  let tokens = await send(url, 'POST', '/api/auth/login', undefined, { email, password })
  const faults: string[] = []

  /** Renews an access token that the jump expired; a session must survive. */
  const session = async (): Promise<string> => {
    const { status } = await answer(`${url}/api/auth/me`, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    if (status === 401) tokens = await send(url, 'POST', '/api/auth/refresh', undefined, { refresh_token: tokens.refresh_token })
    return tokens.access_token
  }
  const waitForJob = async (id: string, token: () => Promise<string>) => {
    const began = performance.now()
    for (;;) {
      const job = await send(url, 'GET', `/api/jobs/${id}`, await token())
      const took = performance.now() - began
      if (!['waiting', 'running'].includes(job.state) || took > maxJobMs) return { ...job, took }
      await sleep(200)
    }
  }
  const fetchNow = async () => (await send(url, 'POST', `/api/projects/${project}/fetch`, await session())).job_id as string
  const isFetched = ({ state, attempts, result }: any) =>
    state === 'done' && attempts === 1 && result.sources.every(({ error }: { error: unknown }) => error === null)
  const describe = ({ state, attempts, error, result, took }: any) => `${state} after ${ms(took)}, attempts ${attempts} ${error ?? ''} ${JSON.stringify(result?.sources?.map(({ error }: { error: unknown }) => error) ?? '').slice(0, 200)}`

  await waitForJob(await fetchNow(), session)
  for (const [what, clockOffsetMs] of steps) {
    await withBystander(`a clock ${what}, ${kind}`, service, bystander, bystanderSeconds, async () => {
      // One job of this phase starts before the jump and one after it.
      const before = await fetchNow()
      disturb({ clockOffsetMs })
      await sleep(200)
      const seen: Record<string, unknown> = {}
      for (const [name, id] of [['the job before it', before], ['a job after it', undefined]] as const) {
        const job = await waitForJob(id ?? await fetchNow(), session)
        if (!isFetched(job)) faults.push(`${what}: ${name} ${describe(job)}`)
        seen[name] = job.state
      }
      await callTool(url, key, 'projects_list', {}).catch(error => { faults.push(`${what}: ${String(error)}`) })
      return undefined
    })
  }
  report(`sessions, keys and jobs after four jumps of an hour, ${kind}`, 'all work, every job once and within 30 s', faults.length === 0 ? 'all' : `${faults.length} faults: ${faults.join(' | ')}`, faults.length === 0)

  // A full window of calls, then a jump back: the limiter lets calls pass after its window of a minute, not after an hour.
  const list = async () => await fetch(`${url}/api/projects`, { headers: { 'x-api-key': key } })
  let response = await list()
  for (let at = 0; at < rateLimit && response.status === 200; at++) {
    await response.arrayBuffer()
    response = await list()
  }
  const limited = response.status
  disturb({ clockOffsetMs: -hourMs })
  await sleep(200)
  const retryAfter = Number((await list()).headers.get('retry-after') ?? 0)
  await sleep(61_000)
  const after = (await list()).status
  report(`the rate limiter after a jump of an hour back, ${kind}`, '429 with Retry-After of at most 60 s, and 200 after a minute', `${limited}, Retry-After ${retryAfter} s, ${after}`, limited === 429 && retryAfter <= 60 && after === 200)
  disturb({})
  const requests = outside.requests.length
  const ticks = await metric(url, 'litfeed_job_duration_seconds_count')
  await sleep(15_000)
  const more = outside.requests.length - requests
  report(`idle schedule for 15 s after all jumps, ${kind}`, 'at most 10 requests to the source', `${more} requests, ${await metric(url, 'litfeed_job_duration_seconds_count') - ticks} jobs`, more <= 10)
  await service.stop()
})
