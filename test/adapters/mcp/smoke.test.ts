import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { packageRoot } from '../../../src/settings/version.js'
import { testService } from '../../support/service.js'

const run = promisify(execFile)
const script = fileURLToPath(new URL('docs/smoke.sh', packageRoot))
const withoutCurl = await run('curl', ['--version']).then(() => false as const, () => 'curl is missing')

t.test('docs/smoke.sh', { skip: withoutCurl }, async t => {
  const { app, user } = await testService(t)
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const { key } = await user()

  t.test('passes a working service', async t => {
    const { stdout } = await run('sh', [script, address, key])
    t.notMatch(stdout, /FAIL/)
    t.match(stdout, /All checks passed\.\n$/)
  })

  t.test('names what fails', async t => {
    const failed = await run('sh', [script, address, `${key}x`]).catch((error: unknown) => error)
    t.match(failed, { code: 1, stdout: /FAIL {2}initialize: status 401, expected 200[^]*checks failed\.\n$/ })
    t.match(await run('sh', [script, address]).catch((error: unknown) => error), { code: 2, stderr: /usage/ })
  })
})
