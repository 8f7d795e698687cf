import t from 'tap'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { testDatabase } from '../support/database.js'
import { commandLine } from '../support/command-line.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

t.test('litfeed serve', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const { start, startWithOutput, runProcess } = commandLine(dataDir, databaseUrl)

  await t.test('--sample prints an account and a request with its key that works', async t => {
    const service = start(['serve', '--sample'])
    t.teardown(() => service.kill('SIGKILL'))
    let printed = ''
    service.stdout.on('data', chunk => { printed += chunk })
    while (!printed.includes('projects_list')) await once(service.stdout, 'data')
    t.match(printed, /Account: +\S+@\S+\nPassword: +\S+\nSample: +a project with \d+ fictional papers\nMCP: +http\S+\?key=svcmcp_/)
    const [, url, key, body] = /curl -s (\S+) -H 'Authorization: Bearer (\S+)'[^]*?-d '([^']+)'/.exec(printed)!
    const response = await fetch(url!, {
      method: 'POST',
      headers: { authorization: `Bearer ${key!}`, 'content-type': 'application/json', accept: 'application/json' },
      body: body!
    })
    t.match(await response.json(), { result: { structuredContent: { items: { length: 1 } } } })
    service.kill('SIGTERM')
    const [code] = await once(service, 'exit')
    t.equal(code, 0)
  })

  await t.test('--json prints where it is as one line of JSON', async t => {
    const service = start(['serve', '--json'])
    t.teardown(() => service.kill('SIGKILL'))
    const printed = async () => {
      for await (const line of createInterface(service.stdout)) {
        const value = JSON.parse(line)
        if ('mcp_url' in value) return value
      }
    }
    const { address, mcp_url, ...rest } = await printed()
    t.match(rest, { database: databaseUrl === undefined ? 'embedded' : 'postgresql' })
    t.equal(mcp_url, `${address}api/mcp`)
    t.equal((await fetch(`${address}healthz`)).status, 200)
    service.kill('SIGTERM')
    await once(service, 'exit')
  })

  await t.test('goes on if its log has no room on the disk', async t => {
    const port = await freePort()
    const full = openSync('/dev/full', 'w')
    t.teardown(() => closeSync(full))
    const service = startWithOutput(full, ['serve'], { PORT: `${port}`, LOG_LEVEL: 'info' })
    t.teardown(() => service.kill('SIGKILL'))
    const health = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status
    await until(async () => service.exitCode !== null || await health().catch(() => 0) === 200)
    t.equal(await health(), 200)
    t.equal(await health(), 200, 'after the first line that was lost')
    service.kill('SIGTERM')
    t.strictSame(await once(service, 'exit'), [0, null])
  })

  await t.test('says what is wrong with an address that it cannot listen on', async t => {
    const elsewhere = await runProcess(['serve'], { HOST: '192.0.2.1', BASE_URL: 'https://litfeed.example.org' })
    t.match(elsewhere, { code: 1, stderr: /192\.0\.2\.1 is not an address of this machine\. Set HOST to a local address/ })
    const withPort = await runProcess(['serve'], { HOST: '127.0.0.1:8787', BASE_URL: 'https://litfeed.example.org' })
    t.match(withPort, { code: 1, stderr: /127\.0\.0\.1:8787 was not found\. Set HOST to an address of this machine without a port/ })
  })
})
