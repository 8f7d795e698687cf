import t from 'tap'
import { areCompatible, daysApart, firstDayOf, lastDayOf } from '../../schemas/partial-date.js'

t.test('a partial date is a period', async t => {
  const days = (date: string) => [firstDayOf(date), lastDayOf(date)]
  t.strictSame(days('2020'), ['2020-01-01', '2020-12-31'])
  t.strictSame(days('2020-02'), ['2020-02-01', '2020-02-29'])
  t.strictSame(days('2021-02'), ['2021-02-01', '2021-02-28'])
  t.strictSame(days('2021-11-20'), ['2021-11-20', '2021-11-20'])
})

t.test('periods are compared', async t => {
  for (const [a, b, compatible, days] of [
    ['2021', '2021-11-20', true, 0], ['2021-11', '2021', true, 0], ['2021-11', '2021-12', false, 1], ['2021', '2022', false, 1],
    ['2020', '2021-01-31', false, 31], ['2021-11-20', '2021-11-22', false, 2]
  ] as const) {
    t.strictSame([areCompatible(a, b), areCompatible(b, a)], [compatible, compatible], `${a}, ${b}`)
    t.strictSame([daysApart(a, b), daysApart(b, a)], [days, days])
  }
})
