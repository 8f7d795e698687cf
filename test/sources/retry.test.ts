import t from 'tap'
import type { LookupFunction } from 'node:net'
import { guardedClient } from '../../src/http/guarded-client.js'
import { fetchWithRetry } from '../../src/sources/requests/retry.js'
import { europepmc } from '../../src/sources/europepmc.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { editing } from '../support/stand-ins/papers.js'
import { sourceContext, runSearch } from '../support/source-search.js'

t.test('retry policy', async t => {
  t.test('waits as long as the service demands', async t => {
    const { url, next, requests } = await europepmcStandIn(t, [])
    next.push({ status: 503, headers: { 'retry-after': '1' }, body: 'busy' })
    await runSearch(europepmc, sourceContext(europepmc, url))
    t.ok(requests[1]!.at - requests[0]!.at >= 990)
  })
  t.test('reports a wait of an hour instead of waiting', async t => {
    const { url, next, requests } = await europepmcStandIn(t, [])
    next.push({ status: 429, headers: { 'retry-after': '3600' }, body: 'slow down' })
    t.match((await runSearch(europepmc, sourceContext(europepmc, url))).error, { fault: 'rate_limited', retryAfter: 3600 })
    t.equal(requests.length, 1)
  })
  t.test('limits cooldowns to a day', async t => {
    for (const asked of ['999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) {
      const { url, next } = await europepmcStandIn(t, [])
      next.push({ status: 503, headers: { 'retry-after': asked }, body: 'busy' })
      t.match((await runSearch(europepmc, sourceContext(europepmc, url))).error, { fault: 'unavailable', retryAfter: 86_400 })
    }
  })
  t.test('retries after a broken connection', async t => {
    const { url, next } = await europepmcStandIn(t, [editing])
    next.push('break', 'break')
    t.equal((await runSearch(europepmc, sourceContext(europepmc, url))).records.length, 1)
  })
  t.test('fails if the host is unreachable', async t => {
    t.match((await runSearch(europepmc, sourceContext(europepmc, 'http://127.0.0.1:9'))).error, {
      fault: 'unavailable',
      message: /Europe PMC did not respond: 127\.0\.0\.1/,
      detail: 'bad port'
    })
  })
  t.test('states for the log why a name was not resolved', async t => {
    const lookup: LookupFunction = (_name, _options, done) => done(Object.assign(new Error('lookup EAI_AGAIN'), { code: 'EAI_AGAIN' }), '')
    const client = guardedClient({ userAgent: 'test', lookup })
    t.teardown(client.close)
    const fetch = fetchWithRetry({ client, source: europepmc, slot: async (_url, request) => await request(), signal: undefined })
    await t.rejects(fetch(new URL('http://papers.example/')), {
      fault: 'unavailable',
      message: 'Europe PMC did not respond: papers.example cannot be found on the public Internet.',
      detail: 'lookup EAI_AGAIN'
    })
  })
})
