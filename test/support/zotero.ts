import type { Test } from 'tap'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { zoteroConnect } from '../../src/operations/zotero/zotero-connect.js'
import { zoteroProjectGet } from '../../src/operations/zotero/zotero-project-get.js'
import { zoteroProjectSet } from '../../src/operations/zotero/zotero-project-set.js'
import { zoteroSync } from '../../src/operations/zotero/zotero-sync.js'
import { openZotero } from '../../src/zotero/client.js'
import { guardedClient } from '../../src/http/guarded-client.js'
import type { Context } from '../../src/operations/context.js'
import { projectWith, testService, type TestService } from './service.js'
import { zoteroStandIn, zoteroUser, type ZoteroStandIn } from './stand-ins/zotero.js'

/** The library of the stand-in's user. */
export const library = `users/${zoteroUser}`
/** The key that the stand-in accepts. */
export const apiKey = 'goodkey123456789'

/** An article of Zotero, with a DOI of its number. */
export const article = (n: number, collections: string[], more: object = {}) => ({
  title: `Sleep spindles and memory, part ${n}`,
  creators: [{ creatorType: 'author', firstName: 'Ada', lastName: 'Byron' }],
  date: '2026-03',
  DOI: `10.5555/zotero.${n}`,
  publicationTitle: 'Journal of Sleep',
  collections,
  ...more
})

/** A connected account with a project. Pauses of the client are recorded and not waited for. */
async function connected (t: Test, service: TestService, zotero: ZoteroStandIn) {
  const user = await service.user()
  const waits: number[] = []
  const http = guardedClient({ userAgent: 'test', trustedOrigins: [new URL(zotero.url).origin] })
  t.teardown(async () => { await http.close() })
  const context: Context = {
    ...user.context,
    zotero: {
      ...user.context.zotero,
      open: (apiKey, signal) => openZotero({ url: zotero.url, http, wait: async ms => { waits.push(ms) }, apiKey, signal })
    }
  }
  await zoteroConnect.run(context, { api_key: apiKey })
  const project_id = await projectWith(user, [])
  const set = async (values: object) => await zoteroProjectSet.run(context, { project_id, library, ...values })
  const sync = async () => await zoteroSync.run(context, { project_id })
  const state = async () => (await zoteroProjectGet.run(context, { project_id })).sync!
  const feed = async () => (await feedGet.run(context, { project_id, limit: 50 }))
  const star = async (title: string) => {
    const { items } = await feed()
    await feedbackSet.run(context, { paper_id: items.find(({ paper_title }) => paper_title === title)!.id, vote: 'star' })
  }
  return { user, context, project_id, set, sync, state, feed, star, waits }
}

/** A service with a stand-in for Zotero, whose requests are counted from the start of each test. */
export async function zoteroService (t: Test) {
  const clock = { now: new Date('2026-11-23T10:00:00Z') }
  const zotero = await zoteroStandIn(t)
  const service = await testService(t, { ZOTERO_URL: zotero.url }, () => clock.now)
  t.beforeEach(() => { zotero.requests.length = 0 })
  return { zotero, service, clock, connected: async (t: Test) => await connected(t, service, zotero) }
}
