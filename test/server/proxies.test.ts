import t, { type Test } from 'tap'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
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

t.test('nginx logs no key with the examples, even while Litfeed is down', { skip: without('nginx', '-v') }, async t => {
  const directory = t.testdir()
  const [port, nobody] = [await freePort(), await freePort()]
  const adapted = ['nginx.conf', 'nginx-prefix.conf'].map(name =>
    example(name)
      .replace('listen 80;', `listen 127.0.0.1:${port};`)
      .replace('127.0.0.1:8787', `127.0.0.1:${nobody}`)
      .replaceAll('/var/log/nginx', directory)
  )
  writeFileSync(
    join(directory, 'nginx.conf'),
    `daemon off; pid ${directory}/pid; error_log ${directory}/main.log; worker_processes 1; events { worker_connections 64; }
    http { access_log off; client_body_temp_path ${directory}/bodies; ${adapted.join('\n')} }`
  )
  const logs = await written(t, 'nginx', ['-c', join(directory, 'nginx.conf'), '-e', join(directory, 'main.log')], { directory, port })
  t.match(logs, '"POST /papers/api/mcp/" 502')
  t.notMatch(logs, secret)
})

t.test('Caddy logs no key with the example, even while Litfeed is down', { skip: without('caddy', 'version') }, async t => {
  const directory = t.testdir()
  const [port, nobody] = [await freePort(), await freePort()]
  const adapted = example('Caddyfile')
    .replace(/^\{\n/m, '{\n\tadmin off\n')
    .replace(/^(?=(?:litfeed\.)?example\.org \{)/gm, 'http://')
    .replace(/example\.org \{/g, `example.org:${port} {`)
    .replaceAll('127.0.0.1:8787', `127.0.0.1:${nobody}`)
  writeFileSync(join(directory, 'Caddyfile'), adapted)
  const logs = await written(t, 'caddy', ['run', '--adapter', 'caddyfile', '--config', join(directory, 'Caddyfile')], { directory, port })
  t.match(logs, '"uri":"/papers/api/mcp/"')
  t.notMatch(logs, secret)
})
