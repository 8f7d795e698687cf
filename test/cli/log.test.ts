import t from 'tap'
import { stderrLog } from '../../src/cli/log.js'

t.test('commands log only warnings and errors, to standard error', async t => {
  const written = t.capture(process.stderr, 'write', () => true)
  stderrLog.info({}, 'started')
  stderrLog.warn({}, 'slow')
  stderrLog.error({ err: new Error('refused') }, 'The database failed.')
  t.strictSame(written().map(({ args }) => args[0]), ['litfeed: slow\n', 'litfeed: The database failed. refused\n'])
})
