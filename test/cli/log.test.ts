import { PassThrough } from 'node:stream'
import t from 'tap'
import { logTo } from '../../src/cli/log.js'

t.test('commands log only warnings and errors', async t => {
  const stderr = new PassThrough({ encoding: 'utf8' })
  const log = logTo(stderr)
  log.info({}, 'started')
  log.warn({}, 'slow')
  log.error({ err: new Error('refused') }, 'The database failed.')
  t.equal(stderr.read(), 'litfeed: slow\nlitfeed: The database failed. refused\n')
})
