import t from 'tap'
import { once } from 'node:events'
import { testDatabase } from '../support/database.js'
import { commandLine } from '../support/command-line.js'
import { stopUnderLoad } from '../support/stopping.js'

t.test('SIGTERM completes running requests, closes idle connections and exits with 0', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const { start, json } = commandLine(dataDir, databaseUrl)
  await json('user', 'create', '--email', 'you@example.org')
  const { api_key: key } = await json('key', 'rotate', '--email', 'you@example.org')
  const service = start(['serve', '--sample'], { LOG_LEVEL: 'info' })
  t.teardown(() => service.kill('SIGKILL'))
  let printed = ''
  service.stdout.on('data', chunk => { printed += chunk })
  service.stderr.on('data', chunk => { printed += chunk })
  const printedWhat = async (what: string) => { while (!printed.includes(what)) await once(service.stdout, 'data') }
  await printedWhat('Litfeed is at')
  const port = Number(/Litfeed is at http:\/\/127\.0\.0\.1:(\d+)\//.exec(printed)![1])
  await printedWhat('New key:')
  t.match(printed, /New key: +npx litfeed key rotate --email you@example\.org/, 'a command that works where make run does')
  const stopped = await stopUnderLoad(service, { port, key, idle: 50, underWay: 5, told: async () => await printedWhat('stopping') })
  t.match(stopped, { answered: 5, kept: 0, code: 0 }, printed)
})
