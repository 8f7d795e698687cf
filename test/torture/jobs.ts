import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { jobGet } from '../../src/operations/jobs/job-get.js'
import type { Context } from '../../src/operations/context.js'
import { paperUpload } from '../../src/operations/papers/paper-upload.js'
import { paperMarkdown } from '../../src/operations/papers/paper-markdown.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { openService } from '../../src/service.js'
import { readSettings } from '../../src/composition/settings.js'
import { column, inflating, writePdf } from '../support/pdf.js'
import { addPapers } from '../support/service.js'
import { withReceivedFile } from '../support/uploads.js'
import { ms, report } from './report.js'
import {
  type Environment,
  type Service,
  account,
  answer,
  atEnd,
  emptyDatabase,
  environmentOf,
  runParts,
  serve,
  temporaryDirectory
} from './service.js'

/** Opens the database of the processes in this process, to prepare data and to check results. */
async function withContext<T> (environment: Environment, run: (context: Context) => Promise<T>): Promise<T> {
  const log = { info () {}, warn () {}, error () {} }
  const service = await openService({ settings: readSettings(environmentOf(environment)), log, name: 'torture', share: true })
  try {
    const found = await service.context.db.selectFrom('account').select('id').orderBy('created_at').executeTakeFirst()
    const id = found?.id ?? (await accountCreate.run(service.context, { email: 'a@example.org', password: 'correct horse battery' })).id
    return await run({ ...service.context, account: { id } })
  } finally {
    await service.close()
  }
}

const validPdf = (number: number) =>
  Buffer.from(
    writePdf([
      {
        texts: column([
          `Paper number ${number} reports that vision came back in twelve`,
          'of the fourteen mice that were treated, and in none of those',
          'that were not treated.'
        ])
      }
    ])
  )

interface Call { path: string, id: string, papers: string[] }

/** Starts a slow webhook receiver that records every call. Paths that begin with /hang never get a response. */
async function startWebhookReceiver (): Promise<{ url: string, calls: Call[] }> {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    if (request.url!.startsWith('/hang')) return
    buffer(request)
      .then(async body => {
        await sleep(200)
        // Recorded before the response: a sender that is killed meanwhile repeats the call.
        const { data } = JSON.parse(body.toString())
        calls.push({
          path: request.url!,
          id: String(request.headers['webhook-id']),
          papers: data.items.map(({ paper }: { paper: { id: string } }) => paper.id)
        })
        response.end()
      })
      .catch(() => {
        response.writeHead(400).end()
      })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  atEnd(() => { server.closeAllConnections(); server.close() })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls }
}

async function sigkills (kind: string, environment: Environment, processes: number): Promise<void> {
  const [uploads, alertProjects, targets, times] = [300, 20, 10, 20]
  const { url, calls } = await startWebhookReceiver()
  const settings = { ...environment, PRIVATE_ORIGINS: url }
  const papers = await withContext(settings, async context => {
    const { id } = await projectCreate.run(context, { name: 'Uploads', sources: [] })
    await addPapers(context, id, Array.from({ length: uploads }, (_each, at) => ({ title: `Uploaded ${at}`, source_paper_id: String(at) })))
    const rows = await context.db.selectFrom('project_paper').select('paper_id').where('project_id', '=', id).orderBy('paper_id').execute()
    for (const [at, { paper_id }] of rows.entries()) {
      await withReceivedFile(context, validPdf(at), async pdf => await paperUpload.run(context, { paper_id, pdf }))
    }
    for (let at = 0; at < alertProjects; at++) {
      const project = await projectCreate.run(context, { name: `Alerts ${at}`, sources: [] })
      for (let target = 0; target < targets; target++) {
        await alertCreate.run(context, { project_id: project.id, kind: 'webhook', target: `${url}/${at}/${target}`, frequency: 'daily' })
      }
      await addPapers(
        context,
        project.id,
        Array.from({ length: 5 }, (_each, paper) => ({ title: `Alert ${at}, paper ${paper}` }))
      )
    }
    await sql`update alert set next_send_at = now()`.execute(context.db)
    return rows.map(({ paper_id }) => paper_id)
  })
  const total = uploads + alertProjects * targets
  const running: Service[] = await Promise.all(Array.from({ length: processes }, async () => await serve(settings)))
  const began = performance.now()
  for (let time = 0; time < times; time++) {
    await sleep(1000 + Math.random() * 2000)
    const place = Math.floor(Math.random() * processes)
    await running[place]!.kill()
    running[place] = await serve(settings)
  }
  const killed = performance.now() - began
  const readResults = async () =>
    await withContext(settings, async ({ db }) => ({
      jobs: (
        await sql<{
          task: string
          state: string
          jobs: number
          attempts: number
        }>`select task, state, count(*) as jobs, max(attempts) as attempts from job where task in ('convert-markdown', 'send-alert')
          group by 1, 2`.execute(db)
      ).rows,
      markdown: (await sql<{ paper_id: string, markdown: string }>`select paper_id, markdown from markdown`.execute(db)).rows,
      left: (await sql<{ left: number }>`select count(*) as left from pdf_upload`.execute(db)).rows[0]!.left
    }))
  const doneOf = ({ jobs }: Awaited<ReturnType<typeof readResults>>) =>
    jobs.filter(({ state }) => state === 'done').reduce((sum, { jobs }) => sum + jobs, 0)
  let seen = await readResults()
  for (const end = performance.now() + 400_000; doneOf(seen) < total && performance.now() < end; seen = await readResults()) {
    await sleep(3000)
  }
  const states = seen.jobs.map(({ task, state, jobs, attempts }) => `${jobs} ${task} ${state} (at most ${attempts} tries)`).join(', ')
  report(
    `${total} jobs under ${times} SIGKILLs, ${kind}`,
    'none lost: each done once, none twice',
    `${states}; the SIGKILLs took ${ms(killed)}, the whole ${ms(performance.now() - began)}`,
    doneOf(seen) === total && seen.jobs.every(({ state }) => state === 'done')
  )
  const wrong = papers.filter(
    id =>
      seen.markdown.filter(({ paper_id }) => paper_id === id).length !== 1 ||
      !/Paper number \d+ reports/.test(seen.markdown.find(({ paper_id }) => paper_id === id)!.markdown)
  ).length
  report(
    `their texts, ${kind}`,
    'one for each paper, no upload left',
    `${wrong} wrong of ${papers.length}, ${seen.left} uploads left`,
    wrong === 0 && seen.left === 0
  )
  const ids = new Map<string, Set<string>>()
  for (const { path, id, papers } of calls) {
    for (const paper of papers) ids.set(`${path} ${paper}`, (ids.get(`${path} ${paper}`) ?? new Set()).add(id))
  }
  const expected = alertProjects * targets * 5
  const twice = [...ids.values()].filter(each => each.size > 1).length
  const repeated = calls.length - new Set(calls.map(({ path, id }) => `${path} ${id}`)).size
  report(
    `items sent to webhooks, ${kind}`,
    'each under one id, which identifies repeated calls',
    `${ids.size} of ${expected} sent, ${twice} under two ids, ${repeated} calls repeated under their id`,
    ids.size === expected && twice === 0
  )
  await Promise.all(running.map(async service => await service.stop()))
}

async function concurrentRequests (): Promise<void> {
  const environment = { DATA_DIR: temporaryDirectory(), DATABASE_URL: await emptyDatabase(), JOBS: 'off' }
  const services = await Promise.all([serve(environment), serve(environment)])
  const { headers } = await account(environment, services[0])
  const { id } = JSON.parse(
    (await answer(`${services[0]!.url}/api/projects`, { method: 'POST', headers, body: '{"name":"P","sources":[]}' })).text
  )
  const paper = await withContext(environment, async context => {
    await addPapers(context, id, [{ title: 'One', pdf_url: 'https://example.org/one.pdf' }])
    return (await feedGet.run(context, { project_id: id })).items[0]!.paper.id
  })
  const answers = await Promise.all(
    Array.from({ length: 100 }, async (_each, at) => await answer(`${services[at % 2]!.url}/api/papers/${paper}/markdown`, { headers }))
  )
  const bodies = answers.map(({ text }) => JSON.parse(text))
  const jobs = new Set(bodies.map(({ job_id }) => job_id)).size
  const created = bodies.filter(({ created }) => created === true).length
  report(
    "100 concurrent requests for one paper's text to two processes",
    'one job, one response with created',
    `${jobs} job, ${created} created, ${answers.filter(({ status }) => status === 202).length} times 202${answers
      .filter(({ status }) => status !== 202)
      .map(({ status, text }) => `, ${status} ${text.slice(0, 200)}`)
      .slice(0, 2)
      .join('')}`,
    jobs === 1 && created === 1 && answers.every(({ status }) => status === 202)
  )
  for (const service of services) await service.stop()
}

async function poisonDocuments (): Promise<void> {
  const { url } = await startWebhookReceiver()
  const environment = { DATA_DIR: temporaryDirectory(), PRIVATE_ORIGINS: url }
  const jobs = await withContext(environment, async context => {
    const { id } = await projectCreate.run(context, { name: 'P', sources: [] })
    const titles = [
      ...Array.from({ length: 8 }, (_each, at) => `Hanging ${at}`),
      ...Array.from({ length: 4 }, (_each, at) => `Poison ${at}`),
      ...Array.from({ length: 20 }, (_each, at) => `Good ${at}`)
    ]
    await addPapers(
      context,
      id,
      titles.map(title => ({ title, ...(title.startsWith('Hanging') ? { pdf_url: `${url}/hang/${title.slice(8)}.pdf` } : {}) }))
    )
    const rows = await context.db
      .selectFrom('project_paper')
      .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
      .select(['paper.id', 'paper.title'])
      .execute()
    const paperIdOf = (title: string) => rows.find(row => row.title === title)!.id
    const poisons = [
      Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog /Pages 1 0 R >> endobj trailer << /Root 1 0 R >>'),
      Buffer.from(writePdf([{ content: inflating(4000) }])),
      Buffer.from(`%PDF-1.7\n${'['.repeat(500_000)}`),
      Buffer.concat([validPdf(0).subarray(0, 300), Buffer.alloc(3_000_000, 0xff)])
    ]
    const queued: Record<string, string[]> = { Hanging: [], Poison: [], Good: [] }
    for (const title of titles) {
      const [kind, at] = title.split(' ') as [string, string]
      const paper_id = paperIdOf(title)
      const bytes = kind === 'Good' ? validPdf(Number(at)) : poisons[Number(at)]!
      const job = kind === 'Hanging'
        ? await paperMarkdown.run(context, { paper_id }) as { job_id: string }
        : await withReceivedFile(context, bytes, async pdf => await paperUpload.run(context, { paper_id, pdf }))
      queued[kind]!.push(job.job_id)
    }
    return queued
  })
  const service = await serve(environment)
  const { headers } = await account(environment, service)
  const began = performance.now()
  const answers: number[] = []
  const states = async (kind: string) =>
    await withContext(
      environment,
      async context => await Promise.all(jobs[kind]!.map(async job_id => await jobGet.run(context, { job_id })))
    )
  let good = await states('Good')
  for (const end = began + 300_000; good.some(({ state }) => state !== 'done') && performance.now() < end; good = await states('Good')) {
    answers.push((await answer(`${service.url}/api/projects`, { headers })).took)
    await sleep(500)
  }
  const took = performance.now() - began
  report(
    '20 valid documents behind 8 that hang and 4 malicious ones',
    'all done within 120 s',
    `${good.filter(({ state }) => state === 'done').length} done after ${ms(took)}`,
    good.every(({ state }) => state === 'done') && took <= 120_000
  )
  let poisoned = await states('Poison')
  for (
    const end = performance.now() + 180_000;
    poisoned.some(({ state }) => state !== 'failed') && performance.now() < end;
    poisoned = await states('Poison')
  ) { await sleep(1000) }
  const hanging = await states('Hanging')
  report(
    'the malicious documents',
    'failed with a reason, the process survives',
    `${poisoned.map(({ state, error }) => `${state}: ${error?.slice(0, 60)}`).join(' | ')}; /readyz ${(await answer(`${service.url}/readyz`)).status}`,
    poisoned.every(({ state, error }) => state === 'failed' && error !== null) && service.child.exitCode === null
  )
  report(
    'the hanging documents',
    'wait for a retry, or have an error',
    hanging.map(({ state, attempts }) => `${state} after ${attempts}`).join(', '),
    hanging.every(({ state, error }) => state !== 'done' && (state === 'running' || error !== null || state === 'waiting'))
  )
  report(
    'requests in the meantime',
    'answered',
    `slowest ${ms(Math.max(0, ...answers))}`,
    answers.every(took => took < 10_000)
  )
  await service.stop()
}

await runParts({
  postgresql: async () =>
    await sigkills('PostgreSQL, two processes', { DATA_DIR: temporaryDirectory(), DATABASE_URL: await emptyDatabase() }, 2),
  embedded: async () => await sigkills('embedded, one process', { DATA_DIR: temporaryDirectory() }, 1),
  concurrentRequests,
  poisonDocuments
})
