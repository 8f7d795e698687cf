import t from 'tap'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { allSettings } from '../../src/composition/settings.js'
import { commandLine } from '../support/command-line.js'
import { temporaryDirectory } from '../support/database.js'

t.test('litfeed usage', async t => {
  const { run, runProcess, json } = commandLine(temporaryDirectory(t))

  await t.test('prints help for each command', async t => {
    t.match(
      (await run(['--help'])).stdout,
      /serve[\s\S]*migrate[\s\S]*user[\s\S]*key[\s\S]*project[\s\S]*import[\s\S]*fetch[\s\S]*backup[\s\S]*restore[\s\S]*doctor/
    )
    for (const command of ['serve', 'user create', 'import', 'key rotate']) {
      const { code, stdout } = await run([...command.split(' '), '--help'])
      t.equal(code, 0)
      t.match(stdout, `Usage: litfeed ${command}`)
    }
  })

  await t.test('exits with 2 on invalid usage and prints the allowed values to standard error', async t => {
    const wrong: Array<[string[], RegExp]> = [
      [['nonsense'], /unknown command 'nonsense'/],
      [['user', 'create'], /required option '--email <email>' not specified[\s\S]*--help/],
      [['user', 'create', '--email', 'x'], /email is "x"/],
      [['user', 'create', '--email', 'a@example.org', '--password', 'short'], /password is invalid\. 8 to 256 characters/],
      [['import', '--project', 'x', 'file'], /--project is "x", which is not a UUID\. Use the id of a project, not its name\. List the projects: litfeed project list\n/],
      [['import', '--project', 'x'], /missing required argument 'file'/]
    ]
    for (const [args, message] of wrong) {
      const { code, stdout, stderr } = await run(args)
      t.equal(code, 2, args.join(' '))
      t.equal(stdout, '')
      t.match(stderr, message)
      t.notMatch(stderr, /\n {4}at /, 'no stack')
    }
    t.match(await runProcess(['nonsense']), { code: 2, stdout: '', stderr: /unknown command 'nonsense'/ }, 'as a process')
    const settings = await run(['user', 'list'], { PORT: 'x', REGISTRATION: 'x' })
    t.equal(settings.code, 2)
    t.match(settings.stderr, /PORT is "x"[\s\S]*REGISTRATION is "x"/)
  })

  await t.test('names options and operands as they are typed, and how to find an id', async t => {
    const project = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    const wrong: Array<[string[], string]> = [
      [['job', 'retry', 'x'], '<id> is "x", which is not a UUID. List failed jobs: litfeed jobs --state failed'],
      [['invite', 'revoke', 'x'], '<id> is "x", which is not a UUID. List the links: litfeed invite list'],
      [
        ['alert', 'delete', 'x', '--email', 'a@example.org'],
        '<id> is "x", which is not a UUID. List the alerts of a project: litfeed alert list --project ID'
      ],
      [['project', 'edit', project, '--must-read', 'high'], '--must-read must be a number, not "high".'],
      [['project', 'edit', project, '--keyword', ''], '--keyword must '],
      [['feedback', 'list', '--project', project, '--filter', 'x', '--limit', 'y'], '--limit must be an integer, not "y". '],
      [['feedback', 'list', '--project', project, '--filter', 'x'], '--filter is "x"; allowed: '],
      [['alert', 'create', '--project', project, '--mail', 'x'.repeat(5000)], '--mail must have at most ']
    ]
    for (const [args, message] of wrong) {
      const { code, stderr } = await run(args)
      t.equal(code, 2, args.join(' '))
      t.ok(stderr.includes(message), stderr)
    }
  })

  await t.test('refuses options that exclude each other', async t => {
    const project = '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'
    const wrong: Array<[string[], RegExp]> = [
      [
        ['alert', 'create', '--project', project, '--mail', 'a@example.org', '--webhook', 'https://example.org'],
        /'--mail <address>' cannot be used with option '--webhook <url>'/
      ],
      [['project', 'edit', project, '--keyword', 'sleep', '--no-keywords'], /'--no-keywords' cannot be used with option '--keyword <word>'/],
      [['project', 'edit', project, '--source', 'pubmed', '--no-sources'], /'--no-sources' cannot be used with option '--source/],
      [['project', 'preview', project, '--exclude', 'rats', '--no-excludes'], /'--no-excludes' cannot be used with option '--exclude <word>'/]
    ]
    for (const [args, message] of wrong) t.match(await run(args), { code: 2, stdout: '', stderr: message }, args.join(' '))
  })

  await t.test('says that .env cannot be read, and prints help without it', async t => {
    const directory = temporaryDirectory(t)
    mkdirSync(join(directory, '.env'))
    const { runProcess } = commandLine(directory)
    t.match(await runProcess(['settings']), {
      code: 2, stdout: '', stderr: `Invalid settings:\n  .env: cannot read ${join(directory, '.env')} (EISDIR).\nSee .env.example`
    })
    t.match(await runProcess(['--help']), { code: 0, stderr: '' })
  })

  await t.test('lists the settings in effect, without secrets', async t => {
    const password = 'a password of the mail server'
    const { code, stdout } = await run(['settings'], {
      RATE_LIMIT: '120',
      PUBMED_URL: 'https://someone:hidden@mirror.example.org/pubmed/',
      PUBMED_API_KEY: 'hidden',
      SMTP_URL: `smtp://litfeed:${encodeURIComponent(password)}@mail.example.org`,
      MAIL_FROM: 'litfeed@example.org'
    })
    t.equal(code, 0)
    const lines = stdout.trim().split('\n')
    t.strictSame(lines.map(line => /^\w+/.exec(line)![0]).sort(), Object.keys(allSettings).sort())
    for (const line of [
      'RATE_LIMIT=120',
      'HOST=127.0.0.1',
      'JOBS=on',
      'PUBMED_API_KEY=(secret)', 'SMTP_URL=(secret)', 'BASE_URL is not set', 'OPENALEX_API_KEY is not set',
      'PUBMED_URL=https://…@mirror.example.org/pubmed'
    ]) t.ok(lines.includes(line), line)
    t.notMatch(stdout, /hidden|a%20password/)
    t.match(await json('settings'), { settings: lines.map(() => ({ name: String, set: Boolean })) })
  })
})
