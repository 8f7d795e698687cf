import { openService } from '../src/service.js'
import { buildApp } from '../src/app.js'
import { accountCreate } from '../src/operations/account-create.js'
import { browserLogin } from '../src/operations/browser-login.js'
import { feedGet } from '../src/operations/feed-get.js'
import { projectScore } from '../src/operations/project-score.js'
import { projectUpdate } from '../src/operations/project-update.js'
import { readSettings } from '../src/settings.js'
import { projectCreate } from '../src/operations/project-create.js'
import { postgresUrl, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'
import { fill } from './search/fill.js'
import { texts } from './texts.js'

const count = 100_000
const rounds = 200
const password = 'a password of the bench'

/** Renders the pages of somebody with a large feed, one after another, and weighs them as a browser without a cache gets them. */
export async function measurePages (): Promise<void> {
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
    const settings = readSettings({ DATA_DIR: temporaryDirectory(), JWT_SECRET: 'x'.repeat(32), LOG_LEVEL: 'error', JOBS: 'off', RATE_LIMIT: '0', ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl! }) })
    const silent = () => {}
    const service = await openService({ settings, log: { info: silent, warn: silent, error: silent }, name: 'bench', share: false })
    const email = `pages${Date.now()}@example.org`
    const { id } = await accountCreate.run(service.context, { email, password })
    const context = { ...service.context, account: { id } }
    const { id: projectId } = await projectCreate.run(context, { name: 'Bench', interest_description: 'w10 w20 w30 w40' })
    const words = texts()
    await fill({ context, projectId }, Array.from({ length: count }, (_, at) => ({ title: words(12), abstract: words(160), authors: [{ name: words(2) }], doi: `10.5555/pages.${at}`, pmid: String(at) })))
    await projectUpdate.run(context, { project_id: projectId, positive_keywords: ['w10 w20'] })
    await projectScore.run(context, { project_id: projectId })

    const app = await buildApp({ context: service.context, settings })
    const { token } = await browserLogin.run({ ...service.context, address: '127.0.0.1' }, { email, password, user_agent: 'bench' })
    const get = async (url: string, accept = 'text/html') => await app.inject({ url, headers: { accept, 'accept-encoding': 'br', cookie: `litfeed=${token}` } })
    const { items: [item] } = await feedGet.run(context, { project_id: projectId, limit: 1 })
    const project = `/projects/${projectId}`
    for (const [name, url] of [['projects', '/'], ['feed', project], ['one paper of it', `${project}?item=${item!.short_id}`], ['unrated papers', `${project}?filter=unrated`], ['a search', `${project}?q=w10+w200`],
      ['insights', `${project}/insights`], ['settings', `${project}/settings`], ['alerts', `${project}/alerts`], ['new project', '/projects/new']] as const) {
      const { statusCode, body, rawPayload } = await get(url)
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}`)
      const took: number[] = []
      for (let round = 0; round < rounds; round++) {
        const began = performance.now()
        await get(url)
        took.push(performance.now() - began)
      }
      took.sort((a, b) => a - b)
      reportBound(`${name}, of a feed of ${count.toLocaleString('en')} papers, ${kind}, p95`, took[Math.floor(rounds * 0.95)]!, 'ms', 50, 'at most')
      const assets = await Promise.all([...body.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(async ([, address]) => (await get(address!, '*/*')).rawPayload.length))
      reportBound(`${name}: weight with styles and scripts`, (rawPayload.length + assets.reduce((sum, bytes) => sum + bytes, 0)) / 1000, 'kB', 100, 'at most')
    }
    await app.close()
    await service.close()
  }
}
