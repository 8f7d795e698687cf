import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { column, writePdf } from '../support/pdf.js'
import { callTool, onBothKinds, reader, send } from './operations-calls.js'
import { report } from './report.js'
import { type Environment, environmentOf, runParts, serve, temporaryDirectory } from './service.js'
import { litfeed } from '../support/shipped-options.js'

const megabyte = 1024 * 1024
const maxPeakMegabytes = 700
const page = writePdf([
  {
    texts: column([
      'Paper number one reports that vision came back in twelve',
      'of the fourteen mice that were treated, and in none of those',
      'that were not treated.'
    ])
  }
])

/** A PDF of 63 MB with one page of text. */
const largePdf = (): Buffer => Buffer.concat([Buffer.from(page), randomBytes(63 * megabyte)])

/** Resident megabytes of a process and its children. */
function residentMegabytes (pid: number): number {
  const children = readStatus(`/proc/${pid}/task/${pid}/children`)
    .trim()
    .split(' ')
    .filter(child => child !== '')
  return [String(pid), ...children].reduce(
    (sum, each) => sum + Number(/^VmRSS:\s+(\d+) kB/m.exec(readStatus(`/proc/${each}/status`))?.[1] ?? 0) / 1024,
    0
  )
}

/** Returns a file of /proc; nothing if the process has ended. */
function readStatus (path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Samples the memory of a process while a function runs. @returns the peak in megabytes */
async function peakDuring (pid: number, run: () => Promise<unknown>): Promise<number> {
  let peak = 0
  const timer = setInterval(() => { peak = Math.max(peak, residentMegabytes(pid)) }, 50)
  await run()
  clearInterval(timer)
  return peak
}

/** Runs a command. @returns its peak in megabytes @throws Error if it fails */
async function peakOf (args: string[], environment: Environment): Promise<number> {
  const child = spawn(process.execPath, [litfeed, ...args], { env: environmentOf(environment), stdio: 'ignore' })
  return await peakDuring(child.pid!, async () => {
    const [code] = await once(child, 'exit')
    if (code !== 0) throw new Error(`litfeed ${args.join(' ')} exited with ${code}`)
  })
}

const reportPeak = (what: string, peak: number) =>
  report(what, `at most ${maxPeakMegabytes} MB resident`, `${peak.toFixed(0)} MB`, peak <= maxPeakMegabytes)

/** Uploads six PDFs of 63 MB, two at a time, then backs up and restores the database while they wait. */
async function uploads (): Promise<void> {
  const environment = { DATA_DIR: temporaryDirectory() }
  // Without background work, the uploads stay pending, so the backup contains them.
  for (const jobs of ['on', 'off']) {
    const service = await serve({ ...environment, JOBS: jobs })
    const { key, token, project } = await reader({ ...environment, JOBS: jobs }, service)
    const { items } = await callTool(service.url, key, 'feed_get', { project_id: project })
    const pdf = largePdf()
    const upload = async ({ paper }: { paper: { id: string } }) => {
      const response = await fetch(`${service.url}/api/papers/${paper.id}/pdf`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/pdf' },
        body: new Uint8Array(pdf)
      })
      if (response.status !== 202) throw new Error(await response.text())
      return await response.json() as { job_id: string }
    }
    const peak = await peakDuring(service.child.pid!, async () => {
      const queued = []
      for (let at = 0; at < (jobs === 'on' ? 2 : 6); at += 2) queued.push(...await Promise.all([upload(items[at]), upload(items[at + 1])]))
      for (const { job_id } of jobs === 'on' ? queued : []) {
        while (['waiting', 'running'].includes((await send(service.url, 'GET', `/api/jobs/${job_id}`, token)).state)) await sleep(200)
      }
    })
    reportPeak(
      jobs === 'on' ? 'two concurrent uploads of 63 MB and their conversion, embedded' : 'six uploads of 63 MB, two at a time, embedded',
      peak
    )
    const logMegabytes =
      16 * readdirSync(join(environment.DATA_DIR, 'postgres', 'pg_wal')).filter(name => /^[0-9A-F]{24}$/.test(name)).length
    report('the write-ahead log afterwards, embedded', 'at most 96 MB', `${logMegabytes} MB`, logMegabytes <= 96)
    await service.stop()
  }
  const file = join(temporaryDirectory(), 'large.backup')
  reportPeak('a backup with six pending uploads of 63 MB, embedded', await peakOf(['backup', file], environment))
  reportPeak('its restore, embedded', await peakOf(['restore', file], { DATA_DIR: temporaryDirectory() }))
}

/** Rest in which V8 collects what requests left. */
const restMs = 30_000
/** Megabytes right after the requests, and after a rest. */
const maxResidentMegabytes = { embedded: [250, 250], PostgreSQL: [130, 130] } as const

/** Sends a hundred mixed requests to a service that has just started. */
const afterStart = (): Promise<void> => onBothKinds(async (kind, environment) => {
  await (await serve(environment)).stop()
  const service = await serve(environment)
  const { key, token, project } = await reader(environment, service)
  const { items: [item] } = await callTool(service.url, key, 'feed_get', { project_id: project })
  for (let at = 0; at < 20; at++) {
    for (const path of [
      '/api/projects',
      `/api/projects/${project}/feed`,
      `/api/projects/${project}/feed/search?q=sleep`,
      `/api/papers/${item.paper.id}`
    ]) { await send(service.url, 'GET', path, token) }
    await callTool(service.url, key, 'feed_search', { project_id: project, q: 'memory' })
  }
  const [busy, rested] = maxResidentMegabytes[kind]
  const reportResident = (what: string, most: number) => {
    const resident = residentMegabytes(service.child.pid!)
    report(`resident memory ${what}, ${kind}`, `at most ${most} MB`, `${resident.toFixed(0)} MB`, resident <= most)
  }
  reportResident('after a start and 100 requests', busy)
  await sleep(restMs)
  reportResident(`${restMs / 1000} s after these requests`, rested)
  await service.stop()
})

await runParts({ uploads, afterStart })
