import { once } from 'node:events'
import t from 'tap'
import { commandLine } from '../support/command-line.js'
import { testDatabase } from '../support/database.js'
import { europepmcStandIn } from '../support/stand-ins/europepmc.js'
import { zoteroStandIn } from '../support/stand-ins/zotero.js'
import type { Publication } from '../support/stand-ins/papers.js'

const day = new Date(Date.now() - 3 * 24 * 60 * 60 * 1000).toISOString().slice(0, 10)
const papers: Publication[] = Array.from({ length: 4 }, (_, at) => ({
  title: `Sleep and memory ${at}`,
  abstract: 'On sleep, memory and their spindles.',
  date: day,
  pmid: String(44_000_000 + at)
}))

t.test('litfeed feed commands', async t => {
  const { databaseUrl, dataDir } = await testDatabase(t)
  const { start, run, json } = commandLine(dataDir, databaseUrl)
  // Commands find the database open: each starts sooner.
  const service = start(['serve'], { JOBS: 'off' })
  for await (const printed of service.stdout) if (String(printed).includes('Litfeed is at')) break
  t.teardown(async () => {
    service.kill('SIGTERM')
    await once(service, 'exit')
  })
  const europepmc = await europepmcStandIn(t, papers)
  const outside = { EUROPEPMC_URL: europepmc.url }
  await json('user', 'create', '--email', 'you@example.org')
  const { id } = await json(
    'project',
    'create',
    '--email',
    'you@example.org',
    '--name',
    'Sleep',
    '--interest',
    'sleep and memory',
    '--source',
    'europepmc=sleep',
    '--source',
    'pubmed'
  )

  await t.test('fetches and prints new papers and failures by source', async t => {
    const { code, stdout } = await run(['fetch', '--project', id], outside)
    t.equal(code, 0)
    t.match(stdout, /europepmc \(sleep\): 4 found, 4 added/)
    t.match(stdout, /pubmed: failed: PubMed did not respond: 127\.0\.0\.1:2 cannot be reached/)
    const nothing = await run(['fetch', '--project', id])
    t.equal(nothing.code, 1, 'where nothing could be looked at')
  })
  await t.test('edits, previews, pauses and resumes a project', async t => {
    t.match(await json('project', 'preview', id, '--exclude', 'spindles'), { compared: 4, counts: { added: 0, dropped: 4 } })
    t.match(
      (await run(['project', 'preview', id, '--exclude', 'spindles'])).stdout,
      /0 would be added, 4 dropped[^]*Dropped:\n {2}0\.\d\d {2}Sleep and memory/
    )
    t.match(
      (await run(['project', 'preview', id, '--source', 'pubmed'])).stderr,
      /unknown option '--source'/,
      'a preview has no sources to change'
    )
    t.match(await json('project', 'edit', id, '--keyword', 'spindles', '--must-read', '0.7'), {
      positive_keywords: ['spindles'],
      must_read_threshold: 0.7,
      interest_description: 'sleep and memory'
    })
    t.match((await run(['project', 'edit', '--help'])).stdout.replace(/\s+/g, ' '), /--keyword <word> [^-]*repeatable; replaces all keywords/)
    t.strictSame((await json('project', 'edit', id, '--no-keywords')).positive_keywords, [])
    t.match(await json('project', 'pause', id), { matching_state: 'paused' })
    t.match(await json('project', 'resume', id), { matching_state: 'active' })
    t.match((await run(['project', 'edit', id, '--source', 'scholar'])).stderr, /"scholar"; allowed: arxiv, pubmed/)
    t.match((await run(['project', 'edit', id, '--must-read', 'high'])).stderr, /--must-read must be a number, not "high"/)
  })
  await t.test('adds, lists and removes votes', async t => {
    const { items: [none] } = await json('feedback', 'list', '--project', id)
    t.equal(none, undefined)
    const item = await itemOf()
    t.match(await json('feedback', 'set', item, '--email', 'you@example.org', '--vote', 'downvote', '--reason', 'low_quality'), {
      item: { feedback: { vote: 'downvote', downvote_reason: 'low_quality' } }
    })
    t.match((await run(['feedback', 'list', '--project', id])).stdout, /downvote \(low_quality\) {2}Sleep and memory/)
    t.match(await json('feedback', 'clear', item, '--email', 'you@example.org'), { cleared: true })
    t.match((await run(['feedback', 'list', '--project', id])).stdout, /No votes yet/)
  })
  await t.test('creates, lists and deletes alerts', async t => {
    const alert = await json('alert', 'create', '--project', id, '--webhook', 'https://hooks.example.org/x', '--frequency', 'immediate')
    t.match(alert, { kind: 'webhook', secret: /^whsec_/ })
    t.match(
      await run(['alert', 'create', '--project', id, '--mail', 'me@example.org']),
      { code: 1, stderr: 'litfeed: Email is not set up. Use --webhook URL, or set SMTP_URL and MAIL_FROM.\n' },
      'the command was right'
    )
    t.match(
      await run(['alert', 'create', '--project', id, '--webhook', 'nowhere']),
      { code: 2, stderr: /^litfeed: --webhook is "nowhere", which is not a URL/ }
    )
    t.match((await run(['alert', 'list', '--project', id])).stdout, /webhook immediate {2}https:\/\/hooks\.example\.org\/x/)
    t.match(await json('alert', 'delete', alert.id, '--email', 'you@example.org'), { deleted: true })
  })
  await t.test('lists jobs and retries failed ones', async t => {
    t.match((await run(['jobs'])).stdout, /No jobs/)
    t.equal(
      (await run(['job', 'retry', '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11'])).stderr,
      'litfeed: This job has not failed, or no longer exists. List failed jobs: litfeed jobs --state failed\n'
    )
  })
  await t.test('doctor reports outside services, and fails only for required ones', async t => {
    const { code, stdout } = await run(['doctor'], outside)
    t.equal(code, 0)
    t.match(stdout, /ok {4}source Europe PMC: 127\.0\.0\.1:\d+ responds/)
    t.match(stdout, /WARN {2}Zotero: 127\.0\.0\.1:2 cannot be reached/)
    t.match(stdout, /WARN {2}source PubMed: PubMed did not respond: 127\.0\.0\.1:2 cannot be reached/)
    const { url } = await zoteroStandIn(t)
    t.match((await run(['doctor'], { ...outside, ZOTERO_URL: url })).stdout, /ok {4}Zotero: 127\.0\.0\.1:\d+ responds/)
    const broken = await run(['doctor'], { ...outside, CONVERTER_URL: 'http://127.0.0.1:2' })
    t.equal(broken.code, 1)
    t.match(broken.stdout, /FAIL {2}converter: 127\.0\.0\.1:2 cannot be reached/)
  })
  await t.test('deletes a project only with confirmation', async t => {
    t.equal((await run(['project', 'delete', id])).code, 2)
    t.match(await json('project', 'delete', id, '--yes'), { deleted: true })
    t.match(await json('project', 'list'), { items: { length: 0 }, total: 0 })
  })

  async function itemOf (): Promise<string> {
    const { items } = await json('project', 'preview', id, '--threshold', '1').then(async ({ dropped }) => ({ items: dropped }))
    return items[0].paper_id
  }
})
