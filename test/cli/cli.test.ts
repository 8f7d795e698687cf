import t from 'tap'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../../src/settings/version.js'
import { testDatabase } from '../support/database.js'
import { commandLine } from '../support/command-line.js'
import { until } from '../support/until.js'

const sample = (name: string) => fileURLToPath(new URL(`samples/${name}`, packageRoot))

t.test('litfeed', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const { start, run, runProcess, json } = commandLine(dataDir, databaseUrl)

  let project = ''
  let service: ReturnType<typeof start> | undefined
  /** Commands find the database open: each starts sooner. */
  const openDatabase = async () => {
    service = start(['serve'], { JOBS: 'off' })
    for await (const printed of service.stdout) if (String(printed).includes('Litfeed is at')) break
  }
  const closeDatabase = async () => {
    service?.kill('SIGTERM')
    if (service !== undefined) await once(service, 'exit')
    service = undefined
  }
  t.teardown(closeDatabase)

  await t.test('creates accounts, keys and projects, and imports, with JSON output', async t => {
    t.strictSame(await json('migrate'), { migrated: [] })
    t.match(await json('user', 'create', '--email', 'You@Example.org'), { email: 'you@example.org', password: /^\w{6}-\w{6}-\w{6}$/ })
    t.match(await json('user', 'list'), { items: [{ email: 'you@example.org' }], total: 1 })
    await openDatabase()
    t.match(await json('user', 'reset-password', '--email', 'you@example.org', '--password', 'a new long password'), {
      email: 'you@example.org'
    })
    await json('user', 'create', '--email', 'other@example.org')
    t.match(await json('user', 'disable', '--email', 'other@example.org'), { email: 'other@example.org', disabled_at: String })
    t.match((await json('user', 'list')).items, [
      { email: 'you@example.org', administrator: true, disabled_at: null },
      { administrator: false, disabled_at: String }
    ])
    t.match(await json('user', 'enable', '--email', 'other@example.org'), { disabled_at: null })
    t.match(await run(['user', 'disable', '--email', 'you@example.org']), { code: 1, stderr: /only administrator/ })
    t.match(await json('key', 'rotate', '--email', 'you@example.org'), {
      api_key: /^svcmcp_/,
      prefix: String,
      created_at: String,
      mcp_url: /\/api\/mcp\/\?key=svcmcp_/
    })
    const agent = ['--email', 'you@example.org', '--name', 'Agent']
    t.match(await json('key', 'create', ...agent, '--scope', 'act', '--expires', '2099-01-01'), {
      api_key: /^svcmcp_/,
      name: 'Agent',
      scope: 'act',
      expires_at: '2099-01-01T00:00:00.000Z'
    })
    t.match(await run(['key', 'create', ...agent]), { code: 1, stderr: /already have a key named "Agent"/ })
    t.match(
      await run(['key', 'create', '--email', 'you@example.org', '--name', 'Other', '--expires', 'yesterday']),
      { code: 2, stderr: /^litfeed: --expires is "yesterday"\. Allowed: / }
    )
    t.match(await run(['key', 'create', ...agent, '--scope', 'all']), { code: 2, stderr: /allowed: read, act/ })
    t.match((await json('key', 'list', '--email', 'you@example.org')).items, [
      { name: 'Default', scope: 'read' },
      { name: 'Agent', scope: 'act' }
    ])
    t.strictSame(await json('key', 'revoke', ...agent), { revoked: true })
    t.match(await run(['key', 'revoke', ...agent]), { code: 1, stderr: /Key "Agent" doesn't exist/ })
    const made = await json(
      'project',
      'create',
      '--email',
      'you@example.org',
      '--name',
      'N',
      '--interest',
      'sleep',
      '--keyword',
      'a',
      '--keyword',
      'b',
      '--exclude',
      'c'
    )
    t.match(made, {
      name: 'N',
      interest_description: 'sleep',
      positive_keywords: ['a', 'b'],
      negative_keywords: ['c'],
      counts: { papers: 0 }
    })
    project = made.id
    t.strictSame(await json('import', sample('pubmed.xml'), sample('references.bib'), '--project', project), {
      read: 22,
      created: 22,
      updated: 0,
      unchanged: 0,
      rejected: []
    })
    t.match(await json('project', 'list'), { items: [{ id: project, email: 'you@example.org', papers: 22 }] })
    t.match(await json('project', 'list', '--email', 'you@example.org'), { items: [{ id: project, counts: { papers: 22 } }] })
    t.match(await json('doctor'), { ok: true })
  })

  await t.test('creates, lists and revokes invitation links', async t => {
    t.match(await run(['invite', 'list']), { code: 0, stdout: /No invitation links/ })
    const link = await json('invite', 'create', '--email', 'guest@example.org', '--note', 'Guest')
    t.match(link, { url: /\/sign-up\?token=svcin_\w{32}$/, email: 'guest@example.org', uses: 1, created_by: null })
    t.match((await run(['invite', 'create', '--uses', '5', '--expires', '2020-01-01'])), { code: 2, stderr: /in the past/ })
    t.match((await run(['invite', 'list'])).stdout, new RegExp(`${link.id} {2}open {5}0 of 1 used .*guest@example\\.org {2}by the command line {2}Guest`))
    t.strictSame(await json('invite', 'revoke', link.id), { revoked: true })
    t.match(await run(['invite', 'revoke', link.id]), { code: 1, stderr: /no open invitation link/ })
  })

  await t.test('disables and enables a source', async t => {
    t.match((await run(['source', 'disable', 'pubmed'])).stdout, /Disabled PubMed\. 1 project of 1 account gets nothing from it until it is enabled again\./)
    t.match((await json('source', 'list')).items.find(({ name }: { name: string }) => name === 'pubmed'), { state: 'disabled', users: 1 })
    t.match((await run(['source', 'enable', 'pubmed'])).stdout, /Enabled PubMed/)
    t.match(await run(['source', 'disable', 'nowhere']), { code: 2, stderr: '<name> is "nowhere"; allowed: arxiv, ' })
  })

  await t.test('import exits 0 with rejected records and lists them', async t => {
    const file = join(dataDir, 'lines.jsonl')
    writeFileSync(file, '{"title":"Good"}\n{"no":"title"}\n')
    const { code, stdout, stderr } = await run(['import', file, '--project', project])
    t.equal(code, 0)
    t.match(stdout, /Read 2: 1 new, 0 updated, 0 unchanged, 1 rejected\./)
    t.match(stderr, /lines\.jsonl, record 2: title is missing/)
  })

  await t.test('exits with 1 on failure and explains it', async t => {
    const failing: Array<[string[], RegExp]> = [
      [['user', 'create', '--email', 'you@example.org'], /already exists/],
      [['key', 'rotate', '--email', 'nobody@example.org'], /No account has the address nobody@example\.org\. Run "litfeed user list"/],
      [['import', sample('pubmed.xml'), '--project', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'], /no project 0b54c2ab/],
      [['fetch', '--project', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'], /no project 0b54c2ab/],
      [
        ['project', 'edit', 'Sleep spindles', '--name', 'Sleep'],
        /^litfeed: There is no project Sleep spindles\. Use the id of a project, not its name\. List the projects: litfeed project list\n$/
      ],
      [
        ['feedback', 'set', 'deadbeef', '--email', 'you@example.org', '--vote', 'upvote'],
        /^litfeed: This paper doesn’t exist or isn’t in your feeds\. Use the id of a feed item or its paper, its DOI, PMID or arXiv id\.\n$/
      ],
      [
        ['alert', 'delete', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', '--email', 'you@example.org'],
        /^litfeed: This alert doesn’t exist or isn’t yours\. List the alerts of a project: litfeed alert list --project ID\n$/
      ]
    ]
    for (const [args, message] of failing) {
      const { code, stderr } = await run(args)
      t.equal(code, 1, args.join(' '))
      t.match(stderr, message)
    }
  })

  await closeDatabase()
  await t.test('a backup restores everything', async t => {
    const file = join(dataDir, 'a.backup')
    const { rows } = await json('backup', file)
    t.ok(rows > 50, `${rows} rows`)
    t.match(await json('backup', '--verify', file), { ok: true, rows, compared: 'rows' })
    let stopped = 0
    // A verification can end before the signal reaches it.
    while (stopped === 0) {
      const verification = start(['backup', '--verify', file])
      const exited = once(verification, 'exit')
      const isVerifying = () => readdirSync(tmpdir()).some(name => name.startsWith(`litfeed-verify-${verification.pid}-`))
      await until(async () => isVerifying() || verification.exitCode !== null)
      verification.kill('SIGTERM')
      ;[stopped] = await exited as [number]
      t.notOk(isVerifying(), 'an interrupted verification removes its database')
    }
    t.equal(stopped, 143)
    const damaged = join(dataDir, 'damaged.backup')
    writeFileSync(damaged, readFileSync(file).subarray(0, -20))
    const { code, stderr } = await run(['backup', '--verify', damaged])
    t.not(code, 0)
    t.equal(code, 1, 'the file is at fault, not the command')
    t.match(stderr, /is damaged/)
    t.match((await run(['restore', file])).stderr, /The database is not empty\. .*--replace/)
    await json('user', 'create', '--email', 'later@example.org')
    const restored = await run(['restore', file, '--replace'])
    t.match(restored, { code: 0, stdout: `Restored ${rows} rows`, stderr: /WARNING[^]*1 MCP keys[^]*litfeed key revoke --email EMAIL/ })
    const revoked = await run(['restore', file, '--replace', '--revoke-access'])
    t.match(revoked, { code: 0, stderr: /MCP keys, share links and Atom addresses are revoked/ })
    t.match(await json('key', 'list', '--email', 'you@example.org'), { items: { length: 0 } })
    t.match(await json('restore', file, '--replace'), { rows })
    t.match(await json('user', 'list'), { total: 2 })
    t.match(await json('project', 'list'), { items: [{ papers: 23 }] })
  })

  await t.test('commands work beside a running service, which SIGTERM stops cleanly', async t => {
    // A fetch, which retries sources that cannot be reached, could outlast the time that jobs have to end.
    t.match(await json('project', 'pause', project), { matching_state: 'paused' })
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
      const second = await runProcess(['serve'])
      t.equal(second.code, 1)
      t.match(second.stderr, /is in use by litfeed serve \(process \d+/)
    }
    service.kill('SIGTERM')
    const [code] = await once(service, 'exit')
    t.equal(code, 0)
  })

  await t.test('serve reports a port in use', async t => {
    const { createServer } = await import('node:net')
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as { port: number }
    const { code, stderr } = await runProcess(['serve'], { PORT: String(port) })
    taken.close()
    t.equal(code, 1)
    t.match(stderr, `Port ${port} of 127.0.0.1 is in use by another program. Stop it or change PORT.`)
  })
})
