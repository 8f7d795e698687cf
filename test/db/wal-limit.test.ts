import t from 'tap'
import { limitLog } from '../../db/embedded/wal-limit.js'

const megabyte = 1024 * 1024

t.test('the embedded database checkpoints a large write-ahead log, which it checks after large requests', async t => {
  // The second check must come within the interval.
  t.intercept(performance, 'now', { configurable: true, value: () => 1000 })
  const ran: string[] = []
  let logBytes = 16 * megabyte
  let looked = 0
  const check = limitLog(
    {
      exec: async statement => {
        ran.push(statement)
        logBytes = 16 * megabyte
        return []
      }
    },
    () => {
      looked++
      return logBytes
    }
  )
  await check({ bytes: 100, inTransaction: false })
  t.equal(looked, 1)
  logBytes = 80 * megabyte
  await check({ bytes: 100, inTransaction: false })
  t.equal(looked, 1, 'not before each request')
  await check({ bytes: 9 * megabyte, inTransaction: true })
  t.strictSame(ran, ['checkpoint'])
  await check({ bytes: 9 * megabyte, inTransaction: false })
  t.strictSame(ran, ['checkpoint'])
})

t.test('a failed checkpoint is retried', async t => {
  let tried = 0
  const check = limitLog({ exec: async () => { tried++; throw new Error('disk full') } }, () => 80 * megabyte)
  await check({ bytes: 9 * megabyte, inTransaction: false })
  await check({ bytes: 9 * megabyte, inTransaction: false })
  t.equal(tried, 2)
})
