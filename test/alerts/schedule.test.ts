import t from 'tap'
import { type Schedule, nextSendAt, nextSendAtAfterFailure, previousSendAt } from '../../src/alerts/schedule.js'
import { localTimeAt, readTimeZone } from '../../src/papers/time-zones.js'

t.test('digests are sent at their hour in the time zone of the account, weekly ones on their day', async t => {
  const schedule = { frequency: 'daily', weekday: 'monday', hour: 6, time_zone: 'UTC' } as const
  const next = (given: Partial<Schedule>, after: string) => nextSendAt({ ...schedule, ...given }, new Date(after)).toISOString()
  t.equal(next({}, '2026-11-21T05:59:59Z'), '2026-11-21T06:00:00.000Z')
  t.equal(next({}, '2026-11-21T06:00:00Z'), '2026-11-22T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly' }, '2026-11-21T12:00:00Z'), '2026-11-23T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly' }, '2026-11-23T06:00:00Z'), '2026-11-30T06:00:00.000Z')
  t.equal(next({ frequency: 'weekly', weekday: 'sunday', hour: 23, time_zone: 'Pacific/Kiritimati' }, '2026-11-21T12:00:00Z'),
    '2026-11-22T09:00:00.000Z', 'of the local week')
  t.equal(
    nextSendAtAfterFailure({ ...schedule, frequency: 'immediate' }, new Date('2026-11-21T06:00:00Z')).toISOString(),
    '2026-11-21T07:00:00.000Z',
    'an immediate alert is retried after an hour'
  )
  const afterFailure = (given: Partial<Schedule>, after: string) =>
    nextSendAtAfterFailure({ ...schedule, ...given }, new Date(after)).toISOString()
  t.equal(afterFailure({ frequency: 'weekly' }, '2026-11-23T07:05:00Z'), '2026-11-23T10:05:00.000Z', 'not a week later')
  t.equal(afterFailure({}, '2026-11-23T04:30:00Z'), '2026-11-23T06:00:00.000Z', 'at its own time, if that is earlier')
  const berlin = { time_zone: 'Europe/Berlin' }
  t.equal(next(berlin, '2026-03-28T12:00:00Z'), '2026-03-29T04:00:00.000Z', 'summer time begins')
  t.equal(next(berlin, '2026-10-24T12:00:00Z'), '2026-10-25T05:00:00.000Z', 'summer time ends')
  t.equal(next({ ...berlin, hour: 2 }, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z', 'an hour that is skipped is the next one')
  t.equal(next({ ...berlin, hour: 2 }, '2026-10-24T12:00:00Z'), '2026-10-25T00:00:00.000Z', 'of an hour that comes twice, the first')
  t.equal(next({ ...berlin, hour: 2 }, '2026-10-25T00:00:00Z'), '2026-10-26T01:00:00.000Z', 'and not the second')
  t.equal(next({ time_zone: 'Australia/Lord_Howe', hour: 2 }, '2026-10-03T12:00:00Z'), '2026-10-03T15:30:00.000Z', 'by half an hour')
})

t.test('an alert knows when it was last due', async t => {
  const schedule = { frequency: 'daily', weekday: 'monday', hour: 6, time_zone: 'UTC' } as const
  const previous = (given: Partial<Schedule>, before: string) => previousSendAt({ ...schedule, ...given }, new Date(before)).toISOString()
  t.equal(previous({}, '2026-11-21T05:59:59Z'), '2026-11-20T06:00:00.000Z')
  t.equal(previous({}, '2026-11-21T06:00:00Z'), '2026-11-21T06:00:00.000Z')
  t.equal(previous({ frequency: 'weekly' }, '2026-11-21T12:00:00Z'), '2026-11-16T06:00:00.000Z')
  t.equal(previous({ frequency: 'weekly' }, '2026-11-23T05:59:59Z'), '2026-11-16T06:00:00.000Z')
  const berlin = { time_zone: 'Europe/Berlin' }
  t.equal(previous({ ...berlin, frequency: 'weekly' }, '2026-10-26T04:59:59Z'), '2026-10-19T04:00:00.000Z', 'summer time ends')
  t.equal(previous({ ...berlin, hour: 2 }, '2026-03-29T02:00:00Z'), '2026-03-29T01:00:00.000Z', 'a skipped hour')
  t.equal(previous({ frequency: 'immediate' }, '2026-11-21T06:00:00Z'), '2026-11-21T05:00:00.000Z')
})

t.test('a digest goes out once on every day of a year, at its hour, in every kind of time zone', async t => {
  const zones = [
    'UTC', 'America/St_Johns', 'America/Santiago', 'Africa/Casablanca', 'Asia/Kathmandu', 'Asia/Gaza', 'Pacific/Chatham', 'Antarctica/Troll'
  ]
  for (const time_zone of zones) {
    for (const hour of [0, 2, 23]) {
      let time = new Date('2026-01-01T12:00:00Z')
      const hours: number[] = []
      const days = new Set<string>()
      for (let sent = 0; sent < 366; sent++) {
        time = nextSendAt({ frequency: 'daily', weekday: 'monday', hour, time_zone }, time)
        const local = localTimeAt(time, time_zone)
        hours.push(local.hour)
        days.add(`${local.year}-${local.month}-${local.day}`)
      }
      t.equal(days.size, 366, `${time_zone} at ${hour}`)
      t.ok(hours.filter(each => each !== hour).length <= 2, 'but for hours that clocks skip')
    }
  }
  t.strictSame(
    ['Europe/Berlin', 'europe/berlin', 'Asia/Kolkata', 'UTC'].map(readTimeZone),
    ['Europe/Berlin', 'Europe/Berlin', 'Asia/Kolkata', 'UTC']
  )
  t.strictSame(['+02:00', 'Europe/Atlantis', '', 'x'.repeat(100), '../etc/passwd'].map(readTimeZone), Array(5).fill(undefined))
})
