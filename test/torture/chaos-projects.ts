import { projectCreate } from '../../src/operations/projects/project-create.js'
import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { queueDue } from '../../src/operations/jobs/queue-due.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { createBystander, createPerson, fillDatabase, withBystander } from './bystander.js'
import { onBothKinds } from './operations-calls.js'
import { ms, quantile, report } from './report.js'
import { answer, atEnd, serve, steadily } from './service.js'

const accountCount = Number(process.env.CHAOS_ACCOUNTS ?? 100)
const projectsPerAccount = 100
const seconds = Number(process.env.CHAOS_SECONDS ?? 30)
const maxTickMs = 5000
const maxListMs = 250
const maxStartMs = 10_000

/** Fills a database with 10,000 projects that are all due, and serves it: start, schedule, lists and a bystander. */
export const manyProjects = (): Promise<void> => onBothKinds(async (kind, own) => {
  const date = new Date().toISOString().slice(0, 10)
  const outside = await europepmcStandIn(undefined, [{ title: 'Sleep and memory', abstract: 'Of sleep.', date, pmid: '48000000' }])
  atEnd(outside.close)
  const environment = { ...own, EUROPEPMC_URL: outside.url }
  const total = (accountCount * projectsPerAccount).toLocaleString('en')
  const { bystander, ownerKey, tickMs, createdMs } = await fillDatabase(environment, async context => {
    const bystander = await createBystander(context)
    const began = performance.now()
    let ownerKey = ''
    for (let person = 0; person < accountCount; person++) {
      const owner = await createPerson(context, `owner${person}@example.org`)
      for (let at = 0; at < projectsPerAccount; at++) {
        await projectCreate.run(owner, { name: `Project ${at}`, interest_description: 'How sleep consolidates memory', sources: [{ name: 'europepmc', query: `sleep AND topic${person * projectsPerAccount + at}` }] })
      }
      if (person === 0) ownerKey = (await keyRotate.run(owner, {})).api_key
    }
    const createdMs = performance.now() - began
    const ticked = performance.now()
    await queueDue.run(context, {})
    return { bystander, ownerKey, tickMs: performance.now() - ticked, createdMs }
  })
  report(`one tick of the schedule with ${total} due projects, ${kind} (created in ${ms(createdMs)})`, `at most ${ms(maxTickMs)}`, ms(tickMs), tickMs <= maxTickMs)
  const service = await serve(environment)
  report(`start with ${total} projects, ${kind}`, `ready within ${ms(maxStartMs)}`, ms(service.took), service.took <= maxStartMs)
  let listed: number[] = []
  let failed = 0
  await withBystander(`fetches of ${total} due projects, and lists of 100 projects 5 times a second, ${kind}`, service, bystander, seconds, async () => {
    const answers = await steadily(5, seconds, async () => await answer(`${service.url}/api/projects?limit=100`, { headers: { 'x-api-key': ownerKey }, signal: AbortSignal.timeout(30_000) }))
    listed = answers.map(({ took }) => took)
    failed = answers.filter(({ status }) => status !== 200).length
    return { bytes: answers.reduce((sum, { text }) => sum + text.length, 0), statuses: {} }
  })
  const p99 = quantile(listed, 0.99)
  report(`projects_list of 100 projects meanwhile, ${kind}: p50, p99, failures; fetches begun`, `p99 at most ${ms(maxListMs)}, none`, `${ms(quantile(listed, 0.5))}, ${ms(p99)}, ${failed} of ${listed.length}; ${outside.requests.length} requests to the source`, p99 <= maxListMs && failed === 0)
  await service.stop()
})
