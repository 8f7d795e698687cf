import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import {
  type Disturbance, type ExpectedStatuses, createBystander, createPerson, fillDatabase, password, withBystander
} from './bystander.js'
import { createLargeFeed } from './large-feed.js'
import type { LargeFeedAttack } from './large-feed-attacks.js'
import { onBothKinds } from './operations-calls.js'
import { ms, report } from './report.js'
import { type Service, answer, serve } from './service.js'

const paperCount = Number(process.env.LARGE_FEED_PAPERS ?? 100_000)
const attackSeconds = Number(process.env.ATTACK_SECONDS ?? 30)
/** One of the attacks below; default: all. */
const onlyAttack = process.env.ATTACK
const email = 'attacker@example.org'
const maxRescoringMs = 60_000
const maxDeletionMs = 90_000
const votedCount = 1000
const snapshotCount = 3

/** What attackers see. A filter that takes too long is an error. */
const statuses: Partial<Record<LargeFeedAttack['attack'], ExpectedStatuses>> = { filters: { 200: [1, Infinity], 400: [0, Infinity] } }

const attacks: Record<LargeFeedAttack['attack'], string> = {
  feeds: 'pages of feed_get in both orders, of each filter, near and deep, six at a time',
  filters: 'rare filters of feed_get and of all feeds, with totals, six at a time',
  pages: 'pages of the feed by best and publication, near and deep, six at a time',
  exports: 'exports of the account, six at a time',
  votes: 'votes over REST, 100 at a time',
  batches: 'batches of 50 votes over MCP, six at a time',
  pageVotes: 'forms with 100 votes, six at a time',
  briefs: 'briefs of 100 items for three consumers, each acknowledged',
  acknowledgements: 'acknowledgements of one brief, 100 at a time',
  statistics: 'projects_get, projects_list and statistics, six at a time'
}

/** An account attacks with the largest feed; a bystander works meanwhile. Then votes rescore the feed. */
export const largeFeed = (): Promise<void> => onBothKinds(async (kind, environment) => {
  const size = `${paperCount.toLocaleString('en')} papers, ${kind}`
  const { attacker, bystander } = await fillDatabase(environment, async context => ({
    attacker: await prepareAttacker(context),
    bystander: await createBystander(context)
  }))
  const service = await serve(environment)
  for (const [attack, what] of Object.entries(attacks) as Array<[LargeFeedAttack['attack'], string]>) {
    if (onlyAttack !== undefined && onlyAttack !== attack) continue
    const workerData: LargeFeedAttack = { ...attacker, attack, email, url: service.url, paperCount, seconds: attackSeconds }
    const attackFeed = () => new Promise<Disturbance>((resolve, reject) => {
      new Worker(new URL('./large-feed-attacks.js', import.meta.url), { workerData }).once('message', resolve).once('error', reject)
    })
    await withBystander(`${what}; ${size}`, service, bystander, attackSeconds, attackFeed, statuses[attack])
  }
  if (onlyAttack === undefined || onlyAttack === 'rescoring') {
    let tookMs = NaN
    await withBystander(`the rescoring of ${size}`, service, bystander, maxRescoringMs / 1000, async () => {
      tookMs = await rescore(service, attacker)
      return undefined
    })
    report(`from 200 votes to the new scores of ${size}`, `at most ${ms(maxRescoringMs)}`, ms(tookMs), tookMs <= maxRescoringMs)
  }
  // The last one, as it leaves no feed.
  if (onlyAttack === undefined || onlyAttack === 'deletion') {
    await freezeSnapshots(service, attacker)
    const what = `the deletion of ${size}, with ${snapshotCount} frozen snapshots`
    let tookMs = NaN
    // A key cannot delete projects.
    const login = await answer(`${service.url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password })
    })
    const headers = { authorization: `Bearer ${JSON.parse(login.text).access_token}` }
    await withBystander(what, service, bystander, maxDeletionMs / 1000, async () => {
      const { status, took } = await answer(`${service.url}/api/projects/${attacker.projectId}`, {
        method: 'DELETE',
        headers,
        signal: AbortSignal.timeout(2 * maxDeletionMs)
      })
      tookMs = took
      return { bytes: 0, statuses: { [status]: 1 } }
    }, { 204: [1, 1] })
    report(`time of ${what}`, `at most ${ms(maxDeletionMs)}`, ms(tookMs), tookMs <= maxDeletionMs)
  }
  await service.stop()
})

async function prepareAttacker (context: ServiceContext): Promise<{ key: string, projectId: string, itemIds: string[] }> {
  const attacker = await createPerson(context, email)
  const projectId = await createLargeFeed(attacker, paperCount)
  const items = await context.db.selectFrom('project_paper').select('id').where('project_id', '=', projectId).limit(votedCount).execute()
  for (const { id } of items.slice(0, 5)) await itemUpdate.run(attacker, { ref: id, saved: true, tags: ['rare'] })
  return { key: (await keyCreate.run(attacker, { name: 'Attack', scope: 'act' })).api_key, projectId, itemIds: items.map(({ id }) => id) }
}

const headersOf = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}`, 'content-type': 'application/json' })

/** Freezes snapshots of the feed, and waits until they are frozen. */
async function freezeSnapshots ({ url }: Service, attacker: { key: string, projectId: string }): Promise<void> {
  const [path, headers] = [`${url}/api/projects/${attacker.projectId}/snapshots`, headersOf(attacker)]
  for (let at = 0; at < snapshotCount; at++) {
    const { status, text } = await answer(path, { method: 'POST', headers, body: '{}' })
    if (status !== 202) throw new Error(`A snapshot was rejected: ${text}`)
    for (;;) {
      const { state, error } = JSON.parse((await answer(`${path}/${JSON.parse(text).id}`, { headers })).text)
      if (state === 'failed') throw new Error(`A snapshot failed: ${error}`)
      if (state === 'frozen') break
      await sleep(500)
    }
  }
}

/** Votes on 200 papers, and waits until they are learned. @returns milliseconds since the last vote */
async function rescore (
  { url }: Service,
  attacker: { key: string, projectId: string, itemIds: string[] }
): Promise<number> {
  const { projectId, itemIds } = attacker
  const headers = headersOf(attacker)
  for (const [at, id] of itemIds.slice(0, 200).entries()) {
    const body = JSON.stringify({ vote: at % 3 === 0 ? 'upvote' : 'downvote' })
    await answer(`${url}/api/project-papers/${id}/feedback`, { method: 'PUT', headers, body })
  }
  const began = performance.now()
  for (;;) {
    const { status, text } = await answer(`${url}/api/projects/${projectId}`, { headers })
    if (status === 200 && JSON.parse(text).learning.pending === false) return performance.now() - began
    await sleep(500)
  }
}
