import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/version.js'
import { testDatabase } from '../support/database.js'
import { testSecret } from '../support/service.js'

const litfeed = fileURLToPath(new URL('../../src/cli/index.js', import.meta.url))
const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, packageRoot))

interface Outcome { code: number, stdout: string, stderr: string }

t.test('litfeed', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const environment = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl, JWT_SECRET: testSecret }) }
  const start = (args: string[], more: Record<string, string> = {}) => spawn(process.execPath, [litfeed, ...args], { cwd: dataDir, env: { ...environment, ...more }, stdio: ['ignore', 'pipe', 'pipe'] })
  const run = async (args: string[], more: Record<string, string> = {}): Promise<Outcome> => {
    const child = start(args, more)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', chunk => { stdout += chunk })
    child.stderr.on('data', chunk => { stderr += chunk })
    const [code] = await once(child, 'close')
    return { code, stdout, stderr }
  }
  const json = async (...args: string[]) => {
    const { stdout, stderr, code } = await run([...args, '--json'])
    if (code !== 0) throw new Error(stderr)
    return JSON.parse(stdout)
  }

  await t.test('says what it can do, for each command', async t => {
    t.match((await run(['--help'])).stdout, /serve[\s\S]*migrate[\s\S]*user[\s\S]*key[\s\S]*project[\s\S]*import[\s\S]*fetch[\s\S]*backup[\s\S]*restore[\s\S]*doctor/)
    for (const command of ['serve', 'user create', 'import', 'key rotate']) {
      const { code, stdout } = await run([...command.split(' '), '--help'])
      t.equal(code, 0)
      t.match(stdout, `Usage: litfeed ${command}`)
    }
  })

  await t.test('exits 2 for wrong usage and says on standard error what is allowed', async t => {
    const wrong: Array<[string[], RegExp]> = [
      [['nonsense'], /unknown command 'nonsense'/],
      [['user', 'create'], /required option '--email <email>' not specified[\s\S]*--help/],
      [['user', 'create', '--email', 'x'], /email is "x"/],
      [['user', 'create', '--email', 'a@example.org', '--password', 'short'], /password must NOT have fewer than 10 characters/],
      [['import', '--project', 'x', 'file'], /project_id is "x", which is not a UUID/],
      [['import', '--project', 'x'], /missing required argument 'file'/]
    ]
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await run(args)
      t.equal(code, 2, args.join(' '))
      t.equal(stdout, '')
      t.match(stderr, message)
      t.notMatch(stderr, /\n {4}at /, 'no stack')
    }
    const settings = await run(['user', 'list'], { PORT: 'x', REGISTRATION: 'x' })
    t.equal(settings.code, 2)
    t.match(settings.stderr, /PORT is "x"[\s\S]*REGISTRATION is "x"/)
  })

  let project = ''
  await t.test('makes accounts, keys and projects, and imports, as JSON', async t => {
    t.match(await json('migrate'), { migrated: [] })
    t.match(await json('user', 'create', '--email', 'You@Example.org'), { email: 'you@example.org', password: /^\w{6}-\w{6}-\w{6}$/ })
    t.match(await json('user', 'list'), { items: [{ email: 'you@example.org' }], total: 1 })
    t.match(await json('user', 'reset-password', '--email', 'you@example.org', '--password', 'a new long password'), { email: 'you@example.org' })
    t.match(await json('key', 'rotate', '--email', 'you@example.org'), { api_key: /^svcmcp_/, prefix: String, created_at: String, mcp_url: /\/api\/mcp\/\?key=svcmcp_/ })
    const made = await json('project', 'create', '--email', 'you@example.org', '--name', 'N', '--interest', 'sleep', '--keyword', 'a', '--keyword', 'b', '--exclude', 'c')
    t.match(made, { name: 'N', interest_description: 'sleep', positive_keywords: ['a', 'b'], negative_keywords: ['c'], counts: { papers: 0 } })
    project = made.id
    t.strictSame(await json('import', sample('pubmed.xml'), sample('references.bib'), '--project', project), { read: 22, created: 22, updated: 0, unchanged: 0, rejected: [] })
    t.match(await json('project', 'list'), { items: [{ id: project, email: 'you@example.org', papers: 22 }] })
    t.match(await json('project', 'list', '--email', 'you@example.org'), { items: [{ id: project, counts: { papers: 22 } }] })
    t.match(await json('doctor'), { ok: true })
  })

  await t.test('import exits 0 with rejected records, and says which they are', async t => {
    const file = join(dataDir, 'lines.jsonl')
    writeFileSync(file, '{"title":"Good"}\n{"no":"title"}\n')
    const { code, stdout, stderr } = await run(['import', file, '--project', project])
    t.equal(code, 0)
    t.match(stdout, /Read 2: 1 new, 0 updated, 0 unchanged, 1 rejected\./)
    t.match(stderr, /lines\.jsonl, record 2: title is missing/)
  })

  await t.test('exits 1 when it cannot be done, and says what to do', async t => {
    const failing: Array<[string[], RegExp]> = [
      [['user', 'create', '--email', 'you@example.org'], /exists already/],
      [['key', 'rotate', '--email', 'nobody@example.org'], /No account has the address nobody@example\.org\. Run "litfeed user list"/],
      [['import', sample('pubmed.xml'), '--project', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'], /no project 0b54c2ab/],
      [['fetch', '--project', project], /no source is configured/]
    ]
    for (const [args, message] of failing) {
      const { code, stderr } = await run(args)
      t.equal(code, 1, args.join(' '))
      t.match(stderr, message)
    }
  })

  await t.test('a backup restores to an equal database; a damaged one changes nothing', async t => {
    const file = join(dataDir, 'a.backup')
    const { rows } = await json('backup', file)
    t.equal(rows, 49)
    t.match((await run(['restore', file])).stderr, /The database is not empty\. .*--replace/)
    await json('user', 'create', '--email', 'later@example.org')
    t.match(await json('restore', file, '--replace'), { rows })
    t.match(await json('user', 'list'), { total: 1 })
    const again = join(dataDir, 'b.backup')
    t.match(await json('backup', again), { rows })
    const { readFileSync } = await import('node:fs')
    const { gunzipSync, gzipSync } = await import('node:zlib')
    const lines = (path: string) => gunzipSync(readFileSync(path)).toString().split('\n').slice(1).sort()
    t.strictSame(lines(again), lines(file))
    const text = gunzipSync(readFileSync(file)).toString()
    const damaged: Array<[string, Buffer, RegExp]> = [
      ['cut short', gzipSync(text.split('\n').slice(0, 30).join('\n')), /is cut short/],
      ['cut bytes', readFileSync(file).subarray(0, 2000), /damaged|cut short/],
      ['no backup', gzipSync('{"a":1}\n'), /is no backup of Litfeed/],
      ['no gzip', Buffer.from('hello'), /is no backup of Litfeed, or is damaged/],
      ['newer', gzipSync(text.replace('2026-11-20-first', '2099-01-01-future')), /backup of database version 2099-01-01-future/]
    ]
    for (const [name, bytes, message] of damaged) {
      const path = join(dataDir, 'damaged')
      writeFileSync(path, bytes)
      const { code, stderr } = await run(['restore', path, '--replace'])
      t.equal(code, 2, name)
      t.match(stderr, message)
      t.match(stderr, /Nothing was changed/)
    }
    t.match(await json('project', 'list'), { items: [{ papers: 23 }] })
  })

  await t.test('commands work beside a running service, which SIGTERM ends well', async t => {
    const service = start(['serve'])
    let printed = ''
    service.stdout.on('data', chunk => { printed += chunk })
    service.stderr.on('data', chunk => { printed += chunk })
    while (!printed.includes('Litfeed is at')) await once(service.stdout, 'data')
    const address = /Litfeed is at (http:\/\/127\.0\.0\.1:\d+)\//.exec(printed)![1]!
    t.notMatch(printed, /svcmcp_\w{6,}_\w{20}/, 'a later start does not show a key')
    const { api_key } = await json('key', 'rotate', '--email', 'you@example.org')
    const response = await fetch(`${address}/api/projects`, { headers: { 'x-api-key': api_key } })
    t.match(await response.json(), { items: [{ id: project }] })
    t.match(await json('import', sample('references.ris'), '--project', project), { created: 9 })
    if (databaseUrl === undefined) {
      const second = await run(['serve'])
      t.equal(second.code, 1)
      t.match(second.stderr, /is in use by litfeed serve \(process \d+/)
    }
    service.kill('SIGTERM')
    const [code] = await once(service, 'exit')
    t.equal(code, 0)
  })

  await t.test('serve says which port is taken', async t => {
    const { createServer } = await import('node:net')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, stderr } = await run(['serve'], { PORT: String(port) })
    taken.close()
    t.equal(code, 1)
    t.match(stderr, `Port ${port} of 127.0.0.1 is in use by another program. Stop it, or set PORT to another port.`)
  })
})
