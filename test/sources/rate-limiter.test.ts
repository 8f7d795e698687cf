import t from 'tap'
import { sql } from 'kysely'
import { maintenance } from '../../src/operations/administration/maintenance.js'
import { findSlot } from '../../db/queries/sources.js'
import { dataLimiter } from '../../src/sources/requests/data-limiter.js'
import { hostCooldown, rateLimiter } from '../../src/sources/requests/rate-limiter.js'
import { HttpError } from '../../src/http/client.js'
import { journalFeed } from '../../src/sources/journal-feed.js'
import { fetchWithRetry } from '../../src/sources/requests/retry.js'
import { testService } from '../support/service.js'
import { standIn } from '../support/stand-ins/server.js'

const { context } = await testService(t)
const { db } = context

t.test('deletes expired slots only', async t => {
  await sql`insert into source_slot (name, next_at)
    values ('long over', now() - interval '2 days'), ('lately', now()), ('to come', now() + interval '1 hour')`.execute(db)
  await maintenance.run(context, {})
  t.strictSame(
    (await sql<{ name: string }>`select name from source_slot order by name`.execute(db)).rows.map(({ name }) => name),
    ['lately', 'to come']
  )
})

t.test('rate limiter slots', async t => {
  const limit = (cooldownMs = 0, group = 'host slow.example.org') => rateLimiter(db, { group, intervalMs: 1, cooldownMs })
  const hang = async () => { throw new HttpError('timeout', 'slow.example.org did not answer in time.') }

  await t.test('are granted one at a time', async t => {
    let [inside, most] = [0, 0]
    await Promise.all(Array.from({ length: 5 }, async () => await limit()(async () => {
      most = Math.max(most, ++inside)
      await new Promise(resolve => setTimeout(resolve, 5))
      inside--
    })))
    t.equal(most, 1)
  })

  await t.test('are granted to accounts in turns, first to interactive requests', async t => {
    const served: string[] = []
    const ask = async (name: string, requester: Partial<Parameters<typeof rateLimiter>[1]>) =>
      await rateLimiter(db, { group: 'host busy.example.org', intervalMs: 1, ...requester })(async () => { served.push(name) })
    const jobs = Array.from({ length: 6 }, async (_each, at) => await ask(`A${at}`, { account: 'a' }))
    const others = ['B', 'C'].map(async account => await ask(account, { account }))
    const persons = Array.from({ length: 5 }, async (_each, at) => await ask(`P${at}`, { account: 'p', isInteractive: true }))
    const quick = ask('Q', { account: 'q', isInteractive: true })
    const ended = new AbortController()
    const aborted = ask('ended', { account: 'b', signal: ended.signal })
    ended.abort(new Error('ended'))
    await t.rejects(aborted, { message: 'ended' })
    await Promise.all([...jobs, ...others, ...persons, quick])
    t.strictSame(served, ['A0', 'P0', 'Q', 'P1', 'A1', 'P2', 'P3', 'P4', 'B', 'C', 'A2', 'A3', 'A4', 'A5'])
  })

  await t.test('are refused to all waiting requests after a timeout', async t => {
    let asked = 0
    const outcomes = await Promise.allSettled(
      Array.from(
        { length: 5 },
        async () =>
          await limit(120_000)(async () => {
            asked++
            return await hang()
          })
      )
    )
    t.equal(asked, 1)
    t.strictSame(outcomes.map(outcome => (outcome as PromiseRejectedResult).reason.fault).sort(), [
      'rate_limited', 'rate_limited', 'rate_limited', 'rate_limited', 'timeout'
    ])
    t.equal(await limit(0, 'host another.example.org')(async () => 'answered'), 'answered')
  })

  await t.test('are refused during the cooldown to every journal feed of a host', async t => {
    let asked = 0
    const fetch = fetchWithRetry({
      client: {
        fetch: async () => {
          asked++
          return await hang()
        }
      },
      source: { title: 'The feed' },
      slot: (_url, request, pauseAfter) => limit(0, 'host feeds.example.org')(request, pauseAfter),
      cooldownMs: 120_000,
      signal: undefined
    })
    await t.rejects(fetch(new URL('https://feeds.example.org/a')), { fault: 'unavailable', message: /The feed did not respond/ })
    await t.rejects(fetch(new URL('https://feeds.example.org/b')), {
      fault: 'rate_limited',
      message: /Paused until .* \(rate limit or timeout\)|did not respond/
    })
    t.equal(asked, 1)
  })
})

t.test('a host of full texts or pages of papers is left alone for as long as it asks', async t => {
  const busy = { status: 429, headers: { 'retry-after': '600' }, body: '' }
  const [server, pageServer] = [await standIn(t, () => busy), await standIn(t, () => busy)]
  // Another host, whose rate limit is its own.
  const page = pageServer.url.replace('127.0.0.1', 'localhost')
  const origins = { PMC_URL: server.url, PRIVATE_ORIGINS: `${server.url},${page}` }
  const { context: { fulltext, sources, files } } = await testService(t, origins)
  const { fetchConfigured, downloadGuarded } = fulltext.originContext(files)
  const refused = { fault: 'rate_limited', message: /^Paused until/ }
  t.equal((await fetchConfigured('pmc', `${server.url}/a`)).status, 429)
  await t.rejects(fetchConfigured('pmc', `${server.url}/b`), refused)
  await t.rejects(downloadGuarded(`${server.url}/a`), { message: /status 429/ })
  await t.rejects(downloadGuarded(`${server.url}/b`), refused)
  t.equal(server.requests.length, 2)
  t.equal((await sources.pages.fetch(`${page}/a`)).status, 429)
  await t.rejects(sources.pages.fetch(`${page}/b`), refused)
  t.equal(pageServer.requests.length, 1)
})

t.test('an address from data pauses a source for half a minute at most, and a host for ten, but that of a feed for longer', async t => {
  const pausedFor = async (group: string) => (await findSlot(db, group, new Date()))!.next_at.getTime() - Date.now()
  for (const [address, isFeed, group, maxMs] of [
    ['https://export.arxiv.org/api/query?max_results=2000', false, 'arxiv', 30_000],
    ['https://export.arxiv.org/rss/cs.DL', true, 'arxiv', 30_000],
    ['https://journal.example/article.pdf', false, 'host journal.example', 600_000],
    ['https://journal.example/feed', true, 'host journal.example', 3_600_000]
  ] as const) {
    const limiter = dataLimiter(db, address, { cooldownMs: 120_000, isFeed })
    await limiter(async () => 'busy', () => 3_600_000)
    const paused = await pausedFor(group)
    t.ok(paused > maxMs - 5000 && paused <= maxMs, `${group} pauses for ${paused} ms`)
    await db.deleteFrom('source_slot').where('name', '=', group).execute()
    await t.rejects(limiter(async () => { throw new HttpError('timeout', 'No answer.') }))
    t.ok(await pausedFor(group) <= Math.min(120_000, maxMs), `${group} pauses after a timeout`)
    await db.deleteFrom('source_slot').where('name', '=', group).execute()
  }
})

t.test('the host of a journal feed is left alone for as long as it asks, but not for as long as another one does', async t => {
  const busy = await standIn(t, () => ({ status: 429, headers: { 'retry-after': '3600' }, body: '' }))
  const elsewhere = busy.url.replace('127.0.0.1', 'localhost')
  const redirecting = await standIn(t, () => ({ status: 302, headers: { location: `${elsewhere}/feed` }, body: '' }))
  const { context: { db, sources } } = await testService(t, { PRIVATE_ORIGINS: `${redirecting.url},${elsewhere}` })
  const pauseAfterFetch = async (url: string, group: string) => {
    await t.rejects(sources.contextFor(journalFeed).fetch(new URL(url)), { message: /status 429/ })
    return Math.round(((await findSlot(db, group, new Date()))!.next_at.getTime() - Date.now()) / 60_000)
  }
  t.equal(await pauseAfterFetch(redirecting.url, 'host 127.0.0.1'), 10)
  t.equal(await pauseAfterFetch(`${elsewhere}/feed`, 'host localhost'), 60)
  await t.rejects(sources.contextFor(journalFeed).fetch(new URL(`${elsewhere}/other`)), { message: /^Paused until/ })
  t.equal(busy.requests.length, 2)
})

t.test('only the webhook host that timed out gets a cooldown', async t => {
  let asked = 0
  const call = async (host: string) => await hostCooldown(db, { host, cooldownMs: 120_000 })(async () => {
    asked++
    if (host === 'slow.example.org') throw new HttpError('timeout', 'slow.example.org did not answer within 15 s.')
    return 'taken'
  })
  t.equal(await call('quick.example.org'), 'taken')
  await t.rejects(call('slow.example.org'), { message: /within 15 s/ })
  await t.rejects(call('slow.example.org'), {
    fault: 'rate_limited',
    message: /slow\.example\.org did not respond in time\. Litfeed retries at/
  })
  t.equal(await call('quick.example.org'), 'taken')
  t.equal(asked, 3)
})

t.test('cooldowns are ignored after the clock was set back', async t => {
  const minutes = (count: number) => sql`now() + make_interval(mins => ${count})`
  for (const [name, setAt, isFree] of [['host ahead.example.org', 60, true], ['host ordinary.example.org', 0, false]] as const) {
    await sql`insert into source_slot (name, next_at, set_at)
      values (${name}, ${minutes(90)}, ${minutes(setAt)}), (${`rest ${name}`}, ${minutes(90)}, ${minutes(setAt)})`.execute(db)
    const answered = async () => 'answered'
    const calls = [
      async () => await rateLimiter(db, { group: name, intervalMs: 1 })(answered),
      async () => await hostCooldown(db, { host: name, cooldownMs: 1 })(answered)
    ]
    for (const call of calls) {
      if (isFree) t.equal(await call(), 'answered')
      else await t.rejects(call(), { message: /Paused|respond/ })
    }
  }
})
