import { readFileSync } from 'node:fs'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import { readSettings } from '../../src/composition/settings.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { openService } from '../../src/service.js'
import { addPapers } from '../support/service.js'
import { ms, quantile, report } from './report.js'
import { type Answered, type Environment, type Service, answer, environmentOf, steadily } from './service.js'

/* An ordinary user reads a feed ten times a second, each time on a new connection, while something else happens to the service. */

const maxBystanderMs = 250
const [maxLoopP999Ms, maxLoopWorstMs] = [50, 200]
const maxResidentMb = 900
const requestsPerSecond = 10

/** The credentials of an ordinary user, and a project with a small feed. */
export interface Bystander { key: string, projectId: string }

/** Measurements during an attack or disturbance. */
export interface Disturbance { bytes: number, statuses: Record<string, number> }

/** The least and the greatest count of each status that an attacker may see, and of no other. */
export type ExpectedStatuses = Readonly<Record<string, readonly [least: number, most: number]>>

/** Opens the service on the database of an environment without listening, to fill it. */
export async function fillDatabase<T> (environment: Environment, fill: (context: ServiceContext) => Promise<T>): Promise<T> {
  const ignore = () => {}
  const { context, close } = await openService({
    settings: readSettings(environmentOf(environment)),
    log: { info: ignore, warn: ignore, error: ignore },
    name: 'trial',
    share: false
  })
  try {
    return await fill(context)
  } finally {
    await close()
  }
}

/** The password of every account of these trials. */
export const password = 'correct horse battery'

/** Creates an account. @returns its context */
export async function createPerson (context: ServiceContext, email: string): Promise<Context> {
  const { id } = await accountCreate.run(context, { email, password })
  return { ...context, account: { id } }
}

/** Creates the bystander, with 50 papers. */
export async function createBystander (service: ServiceContext): Promise<Bystander> {
  const context = await createPerson(service, 'bystander@example.org')
  const { id: projectId } = await projectCreate.run(context, { name: 'Ordinary', sources: [] })
  await addPapers(
    context,
    projectId,
    Array.from({ length: 50 }, (_each, at) => ({ title: `An ordinary paper ${at}`, abstract: 'A sentence of the abstract. '.repeat(40) }))
  )
  return { key: (await keyRotate.run(context, {})).api_key, projectId }
}

/** Reads the bystander's feed at a steady rate. */
export const readFeed = async ({ url }: Service, { key, projectId }: Bystander, seconds: number): Promise<Answered[]> =>
  await steadily(
    requestsPerSecond,
    seconds,
    async () =>
      await answer(`${url}/api/projects/${projectId}/feed`, {
        headers: { 'x-api-key': key, connection: 'close' },
        signal: AbortSignal.timeout(30_000)
      })
  )

/**
 * Measures the bystander while `disturb` runs, and reports one row: times, failures, event-loop delay, memory and bytes; and one of what
 * the attacker saw, if `expected` says what that should be. @returns the bystander's responses
 */
export async function withBystander (
  what: string,
  service: Service,
  bystander: Bystander,
  seconds: number,
  disturb: () => Promise<Disturbance | undefined>,
  expected?: ExpectedStatuses
): Promise<Answered[]> {
  await readFeed(service, bystander, 3)
  const idle = await readFeed(service, bystander, 5)
  await service.eventLoopDelay()
  const resident = watchResident(service)
  const disturbed = disturb()
  const answers = await readFeed(service, bystander, seconds)
  const done = await disturbed
  const peakMb = resident.stop()
  const loop = await service.eventLoopDelay()
  const [p50, p99] = [0.5, 0.99].map(share => quantile(answers.map(({ took }) => took), share)) as [number, number]
  const idleP99 = quantile(idle.map(({ took }) => took), 0.99)
  const failed = answers.filter(({ status }) => status !== 200)
  const sent = done === undefined ? '' : `; ${Math.round(done.bytes / 1e6)} MB sent (${countsOf(done.statuses)})`
  const failures = `${failed.length} of ${answers.length} failed${failed[0] === undefined ? '' : ` (${failed[0].status} ${failed[0].text.slice(0, 80)})`}`
  report(
    `bystander during ${what}`,
    `p99 at most ${maxBystanderMs} ms, no failure, event loop p99.9 at most ${maxLoopP999Ms} ms, worst ${maxLoopWorstMs} ms, ` +
      `memory at most ${maxResidentMb} MB`,
    `p50 ${ms(p50)}, p99 ${ms(p99)} (idle ${ms(idleP99)}), ${failures}; ` +
      `event loop p99.9 ${ms(loop.p999)}, worst ${ms(loop.worst)}, CPU ${ms(loop.worstCpu)}; peak ${peakMb} MB${sent}`,
    p99 <= maxBystanderMs && failed.length === 0 && loop.p999 <= maxLoopP999Ms && loop.worst <= maxLoopWorstMs && peakMb <= maxResidentMb
  )
  if (expected !== undefined) reportStatuses(what, done?.statuses ?? {}, expected)
  return answers
}

function reportStatuses (what: string, seen: Disturbance['statuses'], expected: ExpectedStatuses): void {
  const isExpected = [...Object.keys(seen), ...Object.keys(expected)].every(status => {
    const [count, [least, most]] = [seen[status] ?? 0, expected[status] ?? [0, 0]]
    return count >= least && count <= most
  })
  const wanted = Object.entries(expected).map(([status, [least, most]]) => `${status}: ${most === Infinity ? `${least} or more` : `${least} to ${most}`}`)
  report(`responses to ${what}`, wanted.join(', '), countsOf(seen), isExpected)
}

const countsOf = (statuses: Disturbance['statuses']): string =>
  Object.entries(statuses).map(([status, count]) => `${status}: ${count}`).join(', ')

/** Samples the resident memory of a service. @returns a function that ends it and returns the peak in MB */
function watchResident ({ child }: Service): { stop: () => number } {
  let peakKb = 0
  const timer = setInterval(() => {
    peakKb = Math.max(peakKb, Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]))
  }, 100)
  return {
    stop () {
      clearInterval(timer)
      return Math.round(peakKb / 1024)
    }
  }
}
