import { workerData } from 'node:worker_threads'
import { password } from './bystander.js'
import {
  type AttackInput, type AttackRequest, end, flood, pick, post, runAttack, send, signIn, toolCall, withKey
} from './attack-thread.js'

/* The thread of one attack on the largest feed of an account. */

/** Input of an attack. */
export interface LargeFeedAttack extends AttackInput {
  attack: keyof typeof attacks
  projectId: string
  paperCount: number
  /** Papers to vote on. */
  itemIds: readonly string[]
}

const { url, email, projectId, paperCount, itemIds } = workerData as LargeFeedAttack

const offsets = [0, Math.floor(paperCount / 2), paperCount - 100, 1_000_000_000]
const filters = ['all', 'unrated', 'liked', 'disliked', 'not-relevant'] as const
const period = ['', '&since=200d', '&until=200d', '&must_read=true']

/** Pages of the feed in every order, of every filter, near and deep. */
const feedOf = (at: number): AttackRequest => ({
  path:
    `/api/projects/${projectId}/feed?limit=100&detail=brief&sort=${pick(['relevance', 'newest'], at)}&offset=${pick(offsets, at >> 1)}` +
    `&feedback_filter=${pick(filters, at >> 3)}${pick(period, at >> 5)}`
})

/** Filters that few papers pass or that no index serves, with their totals. */
const filtered: readonly AttackRequest[] = [
  ...['saved=true', 'seen=true', 'tag=rare', 'feedback_filter=liked&must_read=true', 'link=followed&since=300d',
    'seen=false&saved=false&until=300d'
  ].map(filter => `/api/projects/${projectId}/feed?limit=100&detail=brief&${filter}`),
  ...['saved=true&sort=published', 'tag=rare&sort=best', 'year_from=2999', 'year_to=2026&sort=published&offset=9900', 'author=zz',
    'author=0000-0002-1825-0097', 'venue=nowhere', 'has_full_text=true', 'has_full_text=false&offset=9900', 'sort=day&offset=10000'
  ].map(filter => `/api/feed?limit=100&${filter}`)
].map(path => ({ path }))

const voteOf = (at: number) => pick([{ vote: 'upvote' }, { vote: 'downvote', downvote_reason: 'not_relevant' }, { vote: 'star' }], at)

/** @returns the headers of a signed-in browser, and its CSRF token */
async function signInBrowser (): Promise<{ headers: Record<string, string>, csrfToken: string }> {
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

async function briefOf (consumer: string, acknowledge?: string): Promise<string | undefined> {
  const { status, text } = await send(post('/api/brief', { consumer, limit: 100, acknowledge }))
  return status === 200 ? JSON.parse(text).brief_id : undefined
}

const attacks = {
  feeds: () => flood(6, feedOf),
  filters: () => flood(6, at => pick(filtered, at)),
  async pages () {
    const { headers } = await signInBrowser()
    await flood(6, at => ({
      path: `/projects/${projectId}?sort=${pick(['best', 'published', 'day', 'newest'], at)}` +
        `&offset=${pick([0, paperCount >> 1, paperCount - 100], at >> 2)}`,
      options: { headers }
    }))
  },
  async exports () {
    const headers = { authorization: `Bearer ${(await signIn()).access_token}` }
    await flood(6, () => ({ path: '/api/account/export', options: { headers } }))
  },
  votes: () =>
    flood(100, at => ({
      path: `/api/project-papers/${pick(itemIds, at)}/feedback`,
      options: { method: 'PUT', headers: withKey, body: JSON.stringify(voteOf(at)) }
    })),
  batches: () =>
    flood(6, at => post(
      '/api/mcp',
      Array.from({ length: 50 }, (_each, of) => toolCall(of, 'feedback_set', { paper_id: pick(itemIds, 50 * at + of), ...voteOf(at) }))
    )),
  async pageVotes () {
    const { headers, csrfToken } = await signInBrowser()
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

await runAttack(attacks)
