import { setTimeout as sleep } from 'node:timers/promises'
import { textGenerator } from '../../bench/text-generator.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import type { Publication } from '../support/stand-ins/papers.js'
import { callTool, metric, onBothKinds, reader, send } from './operations-calls.js'
import { quantile, report } from './report.js'
import { serve } from './service.js'

/** Duration on each kind of database. */
const minutes = Number(process.env.SOAK_MINUTES ?? 30)
const requestsPerSecond = 20
const words = textGenerator()
const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)

/** Metrics that must stay flat: the last third may be at most `maxGrowth` times the second. */
const watched = {
  memory: { name: 'process_resident_memory_bytes', labels: '', unit: 1024 * 1024, shown: 'MB', maxGrowth: 1.1 },
  heap: { name: 'nodejs_heap_size_used_bytes', labels: '', unit: 1024 * 1024, shown: 'MB', maxGrowth: 1.15 },
  descriptors: { name: 'process_open_fds', labels: '', unit: 1, shown: '', maxGrowth: 1.1 },
  connections: { name: 'litfeed_database_connections', labels: '', unit: 1, shown: '', maxGrowth: 1.1 }
} as const

/** Runs reads, writes and background work at a steady rate for a long time. Memory, descriptors and connections must not grow. */
export const soak = async (): Promise<void> => await onBothKinds(async (kind, own) => {
  const papers: Publication[] = Array.from({ length: 400 }, (_, at) => ({ title: `Sleep ${words(9)}`, abstract: words(120), date: day(at % 25 + 1), pmid: String(46_000_000 + at) }))
  const outside = await europepmcStandIn(undefined, papers)
  const environment = { ...own, EUROPEPMC_URL: outside.url }
  const service = await serve(environment)
  const { url } = service
  const account = await reader(environment, service, ['europepmc=sleep'])
  const { email, password, key, project } = account
  let { token } = account
  const { items } = await callTool(url, key, 'feed_get', { project_id: project, limit: 50 })
  const feedback = ['upvote', 'downvote', 'star']
  const asks: Array<(at: number) => Promise<unknown>> = [
    async () => await callTool(url, key, 'feed_get', { project_id: project }),
    async () => await callTool(url, key, 'feed_search', { project_id: project, q: words(2) }),
    async () => await send(url, 'GET', '/api/projects', key),
    async at => await send(url, 'GET', `/api/papers/${items[at % items.length].paper.id}`, key),
    async at => await send(url, 'PUT', `/api/project-papers/${items[at % items.length].id}/feedback`, token, { vote: feedback[at % 3] })
  ]
  const faults: string[] = []
  let sent = 0
  const seen: Record<keyof typeof watched, number[]> = { memory: [], heap: [], descriptors: [], connections: [] }
  const end = Date.now() + minutes * 60_000
  const running = new Set<Promise<void>>()
  const request = (at: number) => {
    sent++
    const one: Promise<void> = asks[at % asks.length]!(at)
      .then(() => {}, error => { faults.push(String(error)) })
      .finally(() => running.delete(one))
    running.add(one)
  }
  const watch = async () => {
    while (Date.now() < end) {
      for (const [what, { name, labels, unit }] of Object.entries(watched)) {
        seen[what as keyof typeof watched].push(await metric(url, name, labels) / unit)
      }
      await sleep(5000)
    }
  }
  const fetchNow = async () => {
    for (let round = 0; Date.now() < end; round++) {
      // New papers at the source each time, so that jobs have work.
      papers.push(...Array.from({ length: 20 }, (_, at) => ({ title: `Sleep ${words(9)}`, abstract: words(120), date: day(1), pmid: String(47_000_000 + round * 20 + at) })))
      outside.requests.length = 0
      // Access tokens expire after 15 minutes.
      if (round % 30 === 29) token = (await send(url, 'POST', '/api/auth/login', undefined, { email, password })).access_token
      await send(url, 'POST', `/api/projects/${project}/fetch`, token).catch(error => { faults.push(String(error)) })
      await sleep(10_000)
    }
  }
  const load = async () => {
    const began = Date.now()
    for (let at = 0; Date.now() < end; at++) {
      await sleep(Math.max(0, began + at * 1000 / requestsPerSecond - Date.now()))
      request(at)
    }
  }
  await Promise.all([load(), watch(), fetchNow()])
  await Promise.all(running)
  const jobs = await metric(url, 'litfeed_job_duration_seconds_count', 'outcome="done"')
  const failedJobs = await metric(url, 'litfeed_job_duration_seconds_count', 'outcome="failed"')
  report(`${minutes} minutes at ${requestsPerSecond} requests a second, ${kind}`, 'every request answered', `${sent - faults.length} of ${sent} ${faults[0] ?? ''}`, faults.length === 0 && sent > minutes * 60 * requestsPerSecond * 0.95)
  report(`background jobs during the soak, ${kind}`, 'jobs done, none failed', `${jobs} done, ${failedJobs} failed`, jobs > minutes && failedJobs === 0)
  for (const [what, { maxGrowth, shown }] of Object.entries(watched)) {
    const values = seen[what as keyof typeof watched]
    const third = Math.floor(values.length / 3)
    const [second, last] = [quantile(values.slice(third, 2 * third), 0.5), quantile(values.slice(2 * third), 0.5)]
    report(`${what} of the process, ${kind}`, `flat: last third at most ${maxGrowth} times the second`, `${second.toFixed(0)} ${shown}, then ${last.toFixed(0)} ${shown}`, last <= second * maxGrowth)
  }
  await service.stop()
  report(`shutdown afterwards, ${kind}`, 'exit 0', `exit ${service.child.exitCode}`, service.child.exitCode === 0)
  await outside.close()
})
