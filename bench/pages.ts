import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import Fastify, { type FastifyInstance } from 'fastify'
import { Agent, request } from 'node:http'
import { buildApp } from '../src/app.js'
import { accountCreate } from '../src/operations/accounts/account-create.js'
import { browserLogin } from '../src/operations/accounts/browser-login.js'
import { feedPage } from '../src/operations/feed/feed-page.js'
import { projectCreate } from '../src/operations/projects/project-create.js'
import { openService } from '../src/service.js'
import { readSettings } from '../src/composition/settings.js'
import { postgresUrl, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { makePapers } from './search/corpus.js'
import { addPapers } from './search/bench-project.js'
import { quantile } from './search/measure.js'

const papers = Number(process.env.BENCH_PAPERS ?? 100_000)
const rounds = 60
const silent = () => {}
const agent = new Agent({ keepAlive: true })

/**
 * Measures pages from the request to the last byte, compared with a bare route that sends the same text, and their size. Prints a table row
 * for each page and database.
 */
export async function measurePages (): Promise<void> {
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['PostgreSQL', 'embedded']) {
    const settings = {
      ...readSettings({
        DATA_DIR: temporaryDirectory(),
        JWT_SECRET: 'x'.repeat(32),
        PORT: '0',
        RATE_LIMIT: '0',
        JOBS: 'off',
        LOG_LEVEL: 'warn',
        ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl! })
      })
    }
    const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'bench', share: false })
    const app = await buildApp({ context: service.context, settings, logStream: { write: silent } })
    const { port } = await listen(app)
    service.setPort(port)
    const account = { email: `pages${randomUUID()}@example.org`, password: 'correct horse battery' }
    const { id } = await accountCreate.run(service.context, account)
    const context = { ...service.context, account: { id } }
    const { id: projectId } = await projectCreate.run(context, { name: 'Bench', sources: [] })
    await addPapers({ context, projectId }, makePapers(papers))
    const { token } = await browserLogin.run({ ...service.context, address: '127.0.0.1' }, { ...account, user_agent: 'bench' })
    const headers = { cookie: `litfeed=${token}`, accept: 'text/html', 'accept-encoding': 'br' }
    const { items: [item], as_of } = await feedPage.run(context, { project_id: projectId, limit: 1, offset: 1000 })

    const feed = `/projects/${projectId}`
    const pages: Array<[what: string, path: string]> = [
      ['a feed', feed],
      ['a feed with a selected paper', `${feed}?item=${item!.short_id}`],
      ['unrated papers', `${feed}?filter=unrated`],
      ['unrated papers, middle page', `${feed}?filter=unrated&offset=${papers / 2}&as_of=${as_of}`],
      ['liked papers', `${feed}?filter=liked`],
      ['must-reads', `${feed}?must_read=true`],
      ['a filter without results', `${feed}?filter=low-quality`],
      ['last page', `${feed}?offset=${papers - 40}`],
      ['a search of two words', `${feed}?q=the+results`],
      ['a paper', `/papers/${item!.id}`],
      ['projects', '/'],
      ['insights', `${feed}/insights`],
      ['settings', `${feed}/settings`],
      ['alerts', `${feed}/alerts`],
      ['new project', '/projects/new']
    ]
    const all: number[] = []
    for (const [what, path] of pages) {
      const url = `http://127.0.0.1:${port}${path}`
      const { text } = await get(url, headers)
      const took = await measure(url, headers)
      const bare = await bareRoute(text)
      const baseline = await measure(bare.url, {})
      await bare.close()
      all.push(...took)
      reportBound(
        `${what}, ${papers.toLocaleString('en')} papers, ${kind}: p50 ${quantile(took, 0.5).toFixed(1)}, p95 (a bare route with the same ${Math.round(text.length / 1024)} kB: p95 ${quantile(baseline, 0.95).toFixed(1)} ms)`,
        quantile(took, 0.95),
        'ms',
        50,
        'at most'
      )
    }
    reportBound(`all pages, ${kind}: p95`, quantile(all, 0.95), 'ms', 50, 'at most')
    const weight = await weigh(`http://127.0.0.1:${port}`, feed, headers)
    for (const [what, { bytes, parts }, limit] of [
      ['a feed of 40 rows with its styles and scripts', weight.documents, 100],
      ['the fonts of a feed, which show after its text', weight.fonts, 50]
    ] as const) reportBound(`transfer size of ${what} (${parts}), ${kind}`, bytes / 1024, 'kB', limit, 'at most')
    await app.close()
    await service.close()
  }
}

async function listen (app: FastifyInstance): Promise<{ port: number }> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return app.server.address() as { port: number }
}

async function bareRoute (text: string) {
  const app = Fastify()
  app.get('/', async (_request, reply) => await reply.type('text/html; charset=utf-8').send(text))
  const { port } = await listen(app)
  return { url: `http://127.0.0.1:${port}/`, close: async () => await app.close() }
}

/** Milliseconds of each round, after five warm-up rounds. */
async function measure (url: string, headers: Record<string, string>): Promise<number[]> {
  const took: number[] = []
  for (let round = -5; round < rounds; round++) {
    const began = performance.now()
    const { status } = await get(url, headers)
    if (status !== 200) throw new Error(`${url} returned ${status}`)
    if (round >= 0) took.push(performance.now() - began)
  }
  return took
}

async function get (url: string, headers: Record<string, string>): Promise<{ status: number, text: string, bytes: number }> {
  const sent = request(url, { agent, headers })
  sent.end()
  const [answer] = await once(sent, 'response') as [import('node:http').IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk as Buffer)
  const body = Buffer.concat(chunks)
  return { status: answer.statusCode!, text: answer.headers['content-encoding'] === undefined ? body.toString() : '', bytes: body.length }
}

interface Weight { bytes: number, parts: string }

/** Compressed bytes of a page with the assets that it needs to be shown, and of its fonts. */
async function weigh (origin: string, path: string, headers: Record<string, string>): Promise<Record<'documents' | 'fonts', Weight>> {
  const page = await get(origin + path, headers)
  const { text } = await get(origin + path, { ...headers, 'accept-encoding': 'identity' })
  const loaded = new Set([...text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(([, address]) => address!))
  const parts: Array<[name: string, bytes: number]> = [['page', page.bytes]]
  for (const address of loaded) {
    // Browsers load the icon of home screens when they add one.
    if (address.endsWith('.png')) continue
    parts.push([address.slice(8).replace(/-[\w-]{12}(?=\.)/, ''), (await get(origin + address, headers)).bytes])
  }
  const weightOf = (named: typeof parts): Weight => ({
    bytes: named.reduce((sum, [, bytes]) => sum + bytes, 0),
    parts: named.map(([name, bytes]) => `${name} ${(bytes / 1024).toFixed(1)}`).join(', ')
  })
  const isFont = ([name]: [string, number]) => name.endsWith('.woff2')
  return { documents: weightOf(parts.filter(part => !isFont(part))), fonts: weightOf(parts.filter(isFont)) }
}
