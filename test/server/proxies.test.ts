import t, { type Test } from 'tap'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { packageRoot } from '../../src/settings/version.js'
import { freePort } from '../support/free-port.js'
import { until } from '../support/until.js'

const secret = 'svcmcp_a1b2c3_secret'
const example = (name: string) => readFileSync(new URL(`deploy/${name}`, packageRoot), 'utf8')
const without = (program: string, flag: string) => spawnSync(program, [flag]).status === 0 ? false : `${program} is not installed`

async function statusOf (
  port: number,
  { host, path, ...headers }: { host: string, path: string } & Record<string, string>,
  body = ''
): Promise<number> {
  const asked = request({ port, host: '127.0.0.1', method: 'POST', path, headers: { host, ...headers } })
  asked.end(body)
  const [{ statusCode }] = await once(asked, 'response')
  return statusCode
}

/** Runs a proxy with nothing behind it, asks it with keys, and gives what it has written to `directory` and on its outputs. */
async function written (
  t: Test,
  program: string,
  args: string[],
  { directory, port }: { directory: string, port: number }
): Promise<string> {
  const proxy = spawn(program, args, { env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory } })
  const said: Buffer[] = []
  proxy.stdout.on('data', (piece: Buffer) => { said.push(piece) })
  proxy.stderr.on('data', (piece: Buffer) => { said.push(piece) })
  const ended = once(proxy, 'close')
  t.teardown(() => proxy.kill('SIGKILL'))
  const isThere = async () =>
    proxy.exitCode !== null ||
    (await statusOf(port, { host: 'nobody.example', path: '/' }).then(
      () => true,
      () => false
    ))
  await until(isThere)
  // Nginx then has no place for a body that exceeds its memory, and logs an error.
  rmSync(join(directory, 'bodies'), { recursive: true, force: true })
  for (const [host, prefix] of [
    ['litfeed.example.org', ''],
    ['example.org', '/papers']
  ] as const) {
    t.equal(
      await statusOf(port, {
        host,
        path: `${prefix}/api/mcp/?key=${secret}`,
        'x-api-key': secret,
        referer: `http://${host}/?key=${secret}`
      }),
      502
    )
    await statusOf(port, { host, path: `${prefix}/metrics?key=${secret}` })
    await statusOf(port, { host, path: `${prefix}/api/mcp/?key=${secret}` }, 'x'.repeat(200_000))
  }
  proxy.kill('SIGTERM')
  await ended
  return [
    ...said,
    ...readdirSync(directory)
      .filter(name => name.endsWith('.log'))
      .map(name => readFileSync(join(directory, name)))
  ].join('\n')
}

/** Writes a configuration with the examples for nginx, which listens on `port` and passes requests to `upstream`. @returns its arguments */
function configureNginx (directory: string, { port, upstream }: { port: number, upstream: number }): string[] {
  const adapted = ['nginx.conf', 'nginx-prefix.conf'].map(name =>
    example(name)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:8787', `127.0.0.1:${upstream}`)
      .replaceAll('/var/log/nginx', directory)
  )
  const file = join(directory, 'nginx.conf')
  writeFileSync(
    file,
    `daemon off; pid ${directory}/pid; error_log ${directory}/main.log; worker_processes 1; events { worker_connections 64; }
    http { access_log off; client_body_temp_path ${directory}/bodies; ${adapted.join('\n')} }`
  )
  return ['-c', file, '-e', join(directory, 'main.log')]
}

/** As `configureNginx`, for Caddy. */
function configureCaddy (directory: string, { port, upstream }: { port: number, upstream: number }): string[] {
  const adapted = example('Caddyfile')
    .replace(/^\{\n/m, '{\n\tadmin off\n')
    .replace(/^(?=(?:litfeed\.)?example\.org \{)/gm, 'http://')
    .replace(/example\.org \{/g, `example.org:${port} {`)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${upstream}`)
  const file = join(directory, 'Caddyfile')
  writeFileSync(file, adapted)
  return ['run', '--adapter', 'caddyfile', '--config', file]
}

t.test('nginx logs no key with the examples, even while Litfeed is down', { skip: without('nginx', '-v') }, async t => {
  const directory = t.testdir()
  const [port, nobody] = [await freePort(), await freePort()]
  const logs = await written(t, 'nginx', configureNginx(directory, { port, upstream: nobody }), { directory, port })
  t.match(logs, '"POST /papers/api/mcp/" 502')
  t.notMatch(logs, secret)
})

t.test('proxies pass on addresses as they were sent, without the prefix', async t => {
  const seen: string[] = []
  const service = createServer((request, response) => {
    seen.push(request.url!)
    response.end()
  }).listen(0, '127.0.0.1')
  await once(service, 'listening')
  t.teardown(() => service.close())
  const upstream = (service.address() as AddressInfo).port
  for (const [program, flag, configure] of [['nginx', '-v', configureNginx], ['caddy', 'version', configureCaddy]] as const) {
    await t.test(program, { skip: without(program, flag) }, async t => {
      const directory = t.testdir()
      const port = await freePort()
      const args = configure(directory, { port, upstream })
      const proxy = spawn(program, args, { env: { ...process.env, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory } })
      t.teardown(() => proxy.kill('SIGKILL'))
      const isListening = () => statusOf(port, { host: 'nobody.example', path: '/' }).then(() => true, () => false)
      await until(async () => proxy.exitCode !== null || await isListening())
      seen.length = 0
      const path = '/api/project-papers/10.1000%2Fa%20b%3Fc?q=x%2Fy'
      for (const [host, prefix] of [['litfeed.example.org', ''], ['example.org', '/papers']] as const) {
        t.equal(await statusOf(port, { host, path: `${prefix}${path}` }), 200)
      }
      t.strictSame(seen, [path, path])
      for (const metrics of ['/papers/metrics', '/papers/%6Detrics', '/papers/x/../metrics', '/papers/metrics?q']) {
        t.match(await statusOf(port, { host: 'example.org', path: metrics }), /^40[34]$/, metrics)
      }
      t.equal(seen.length, 2)
      proxy.kill('SIGTERM')
      await once(proxy, 'close')
    })
  }
})

t.test('Caddy logs no key with the example, even while Litfeed is down', { skip: without('caddy', 'version') }, async t => {
  const directory = t.testdir()
  const [port, nobody] = [await freePort(), await freePort()]
  const logs = await written(t, 'caddy', configureCaddy(directory, { port, upstream: nobody }), { directory, port })
  t.match(logs, '"uri":"/papers/api/mcp/"')
  t.notMatch(logs, secret)
})
