import t from 'tap'
import { isTransient, readRetryAfter } from '../../src/http/retry-after.js'

t.test('timeouts, rate limits and failures of a server are transient, other refusals are not', async t => {
  for (const status of [408, 425, 429, 500, 503, 599]) t.ok(isTransient(status), String(status))
  for (const status of [200, 304, 400, 401, 403, 404, 410, 451]) t.notOk(isTransient(status), String(status))
})

t.test('Retry-After is a number of seconds or a date, and at most a day', async t => {
  t.equal(readRetryAfter('5'), 5)
  t.equal(readRetryAfter(' 120 '), 120)
  for (const value of ['0', 'Thu, 01 Jan 1970 00:00:00 GMT']) t.equal(readRetryAfter(value), 0, value)
  for (const value of ['999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT']) t.equal(readRetryAfter(value), 86_400, value)
  for (const value of [null, '', 'soon']) t.equal(readRetryAfter(value), undefined, String(value))
})
