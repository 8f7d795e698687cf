import { parentPort, workerData } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Disturbance, password } from './bystander.js'
import { answer } from './service.js'

/*
 * The thread of one attack on the largest feed of an account. It runs apart from the bystander, so its own work does not delay the measured
 * requests.
 */

/** Input of an attack. */
export interface LargeFeedAttack {
  attack: keyof typeof attacks
  url: string
  /** A key that may act. */
  key: string
  email: string
  projectId: string
  paperCount: number
  /** Papers to vote on. */
  itemIds: readonly string[]
  seconds: number
}

const { attack, url, key, email, projectId, paperCount, itemIds, seconds } = workerData as LargeFeedAttack
const end = performance.now() + seconds * 1000
const result: Disturbance = { bytes: 0, statuses: {} }
const withKey = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }

interface Request { path: string, options?: RequestInit }

/** Sends requests on several connections until the attack ends. */
async function flood (connections: number, request: (at: number) => Request | Promise<Request>): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (performance.now() < end) {
        const { path, options } = await request(sent++)
        const { status, text } = await answer(url + path, {
          headers: withKey,
          signal: AbortSignal.timeout(120_000),
          redirect: 'manual',
          ...options
        })
        result.bytes += text.length
        result.statuses[status] = (result.statuses[status] ?? 0) + 1
        if (status >= 400 || status === 0) await sleep(100)
      }
    })
  )
}

/** Cyclic choice, so that every value gets its turn. */
const pick = <T>(values: readonly T[], at: number): T => values[at % values.length]!

const offsets = [0, Math.floor(paperCount / 2), paperCount - 100, 1_000_000_000]
const filters = ['all', 'unrated', 'liked', 'disliked', 'not-relevant'] as const
const period = ['', '&since=200d', '&until=200d', '&must_read=true']

/** Pages of the feed in every order, of every filter, near and deep. */
const feedOf = (at: number): Request => ({
  path:
    `/api/projects/${projectId}/feed?limit=100&detail=brief&sort=${pick(['relevance', 'newest'], at)}&offset=${pick(offsets, at >> 1)}` +
    `&feedback_filter=${pick(filters, at >> 3)}${pick(period, at >> 5)}`
})

const toolCall = (id: number, name: string, args: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: args }
})
const voteOf = (at: number) => pick([{ vote: 'upvote' }, { vote: 'downvote', downvote_reason: 'not_relevant' }, { vote: 'star' }], at)

/** @returns the headers of a signed-in browser, and its CSRF token */
async function signIn (): Promise<{ headers: Record<string, string>, csrfToken: string }> {
  const cookies = new Map<string, string>()
  const request = async (path: string, fields?: Record<string, string>) => {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url + path, {
      redirect: 'manual',
      headers: { accept: 'text/html', cookie },
      ...(fields === undefined ? {} : { method: 'POST', body: new URLSearchParams(fields) })
    })
    for (const each of response.headers.getSetCookie()) cookies.set(...each.split(';', 1)[0]!.split(/=(.*)/s, 2) as [string, string])
    return await response.text()
  }
  const tokenIn = (page: string) => /name="csrf_token" value="([^"]+)"/.exec(page)?.[1] ?? ''
  await request('/login', { csrf_token: tokenIn(await request('/login')), action: 'sign-in', email, password })
  const csrfToken = tokenIn(await request('/account'))
  return { headers: { accept: 'text/html', cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }, csrfToken }
}

async function accessToken (): Promise<string> {
  const { text } = await answer(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password })
  })
  return JSON.parse(text).access_token
}

async function briefOf (consumer: string, acknowledge?: string): Promise<string | undefined> {
  const body = JSON.stringify({ consumer, limit: 100, acknowledge })
  const { status, text } = await answer(`${url}/api/brief`, {
    method: 'POST',
    headers: withKey,
    body,
    signal: AbortSignal.timeout(120_000)
  })
  result.bytes += text.length
  result.statuses[status] = (result.statuses[status] ?? 0) + 1
  return status === 200 ? JSON.parse(text).brief_id : undefined
}

const attacks = {
  feeds: () => flood(6, feedOf),
  async pages () {
    const { headers } = await signIn()
    await flood(6, at => ({
      path: `/projects/${projectId}?sort=${pick(['best', 'published', 'day', 'newest'], at)}` +
        `&offset=${pick([0, paperCount >> 1, paperCount - 100], at >> 2)}`,
      options: { headers }
    }))
  },
  async exports () {
    const headers = { authorization: `Bearer ${await accessToken()}` }
    await flood(6, () => ({ path: '/api/account/export', options: { headers } }))
  },
  votes: () =>
    flood(100, at => ({
      path: `/api/project-papers/${pick(itemIds, at)}/feedback`,
      options: { method: 'PUT', body: JSON.stringify(voteOf(at)) }
    })),
  batches: () =>
    flood(6, at => ({
      path: '/api/mcp',
      options: {
        method: 'POST',
        body: JSON.stringify(
          Array.from({ length: 50 }, (_each, of) => toolCall(of, 'feedback_set', { paper_id: pick(itemIds, 50 * at + of), ...voteOf(at) }))
        )
      }
    })),
  async pageVotes () {
    const { headers, csrfToken } = await signIn()
    await flood(6, at => ({
      path: `/projects/${projectId}`,
      options: {
        method: 'POST',
        headers,
        body: new URLSearchParams([
          ['csrf_token', csrfToken],
          ['action', 'change'],
          ...Array.from({ length: 100 }, (_each, of) => [
            'changes',
            `item=${pick(itemIds, 100 * at + of)}&vote=${pick(['upvote', 'not_relevant', 'clear'], at)}`
          ])
        ] as string[][])
      }
    }))
  },
  briefs: () => Promise.all(['one', 'two', 'three'].map(async consumer => {
    let last: string | undefined
    while (performance.now() < end) last = await briefOf(consumer, last)
  })),
  async acknowledgements () {
    while (performance.now() < end) {
      const brief = await briefOf('one')
      await Promise.all(Array.from({ length: 100 }, () => briefOf('one', brief)))
    }
  },
  statistics: () =>
    flood(6, at => ({ path: pick([`/api/projects/${projectId}`, `/api/projects/${projectId}/statistics`, '/api/projects'], at) }))
}

await attacks[attack]()
parentPort!.postMessage(result)
