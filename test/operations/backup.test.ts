import { sql } from 'kysely'
import t from 'tap'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { accountsList } from '../../src/operations/accounts/accounts-list.js'
import { alertCreate } from '../../src/operations/alerts/alert-create.js'
import { migrations } from '../../db/migrations/index.js'
import { backupTables } from '../../db/queries/backup.js'
import { disableSource } from '../../db/queries/disabled-sources.js'
import { createShareLink } from '../../db/queries/share-links.js'
import { saveZoteroAccount, saveZoteroSync } from '../../db/queries/zotero.js'
import { saveZoteroItems } from '../../db/queries/zotero-items.js'
import { backupVerify } from '../../src/operations/administration/backup-verify.js'
import { backup } from '../../src/operations/administration/backup.js'
import { feedAtomUrl } from '../../src/operations/feed/feed-atom-url.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import { feedbackSet } from '../../src/operations/feed/feedback-set.js'
import { projectScore } from '../../src/operations/projects/project-score.js'
import { restore } from '../../src/operations/administration/restore.js'
import { snapshotCreate } from '../../src/operations/snapshots/snapshot-create.js'
import { snapshotFreeze } from '../../src/operations/snapshots/snapshot-freeze.js'
import { snapshotPublish } from '../../src/operations/snapshots/snapshot-publish.js'
import { post } from '../support/mcp.js'
import { logIn, projectWith, testService } from '../support/service.js'
import { storeUpload } from '../support/uploads.js'

const rowsOf = (file: string) => gunzipSync(readFileSync(file)).toString().split('\n').slice(1).sort()

const newest = Object.keys(migrations).at(-1)!

t.test('backup and restore', async t => {
  const service = await testService(t)
  const { context } = service
  const user = await service.user()
  await logIn(service, user)
  const project_id = await projectWith(
    user,
    Array.from({ length: 600 }, (_each, at) => ({
      title: `Größe ${at} "quoted" \\`,
      abstract: 'Words.',
      authors: [{ name: 'Ana' }],
      metadata: { volume: '1', list: [1, 'two', null] },
      published_date: '2026-01-02'
    }))
  )
  const { items: [item] } = await feedSearch.run(user.context, { project_id, q: 'größe 17' })
  await feedbackSet.run(user.context, { paper_id: item!.id, vote: 'star' })
  const { items: [preprint, other] } = await feedSearch.run(user.context, { project_id, q: 'größe 18' })
  const [paper_id, account_id] = [item!.paper.id, user.context.account.id]
  const { db } = context
  await db
    .insertInto('markdown')
    .values({ paper_id, account_id: null, markdown: '# "Größe" \\', origin: 'test', converter: 'test', warnings: '["one"]' })
    .execute()
  await storeUpload(db, { paper_id, account_id, bytes: Buffer.from([0, 92, 255, 10]) })
  await db.insertInto('paper_relation').values({ preprint_id: preprint!.paper.id, published_id: paper_id }).execute()
  await db.insertInto('paper_citation').values({ paper_id, cited: ['10.5555/cited', 'W1'], cited_by: 3 }).execute()
  await db.insertInto('project_follow').values({ project_id, kind: 'author', name: 'Ada', ids: ['A1'] }).execute()
  await db.insertInto('paper_alias').values({ id: randomUUID(), paper_id }).execute()
  await db.deleteFrom('project_paper').where('id', '=', other!.id).execute()
  await projectScore.run(user.context, { project_id })
  await db.insertInto('candidate').values({ project_id, paper_id: other!.paper.id, relevance_score: 0.05, found_at: new Date() }).execute()
  await alertCreate.run(user.context, { project_id, kind: 'webhook', target: 'https://hooks.example.org/a' })
  const { id: alert_id } = await db.selectFrom('alert').select('id').executeTakeFirstOrThrow()
  await db.insertInto('alert_item').values({ alert_id, paper_id, batch: randomUUID(), sent_at: new Date() }).execute()
  const notice = await db
    .insertInto('paper_notice')
    .values({ paper_id, source: 'pubmed', kind: 'retraction', reference: '', first_seen_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('account_notice').values({ account_id, notice_id: notice.id, found_at: new Date() }).execute()
  await db.insertInto('alert_notice').values({ alert_id, notice_id: notice.id, batch: randomUUID() }).execute()
  await db.insertInto('unsubscription').values({ account_id, address: 'former@example.org', unsubscribed_at: new Date() }).execute()
  await db.insertInto('deleted_alert').values({ id: randomUUID(), account_id, project_id, address: 'former@example.org' }).execute()
  await db.insertInto('paper_check').values({ paper_id, source: 'pubmed', next_check_at: new Date() }).execute()
  const brief = await db
    .insertInto('brief')
    .values({ account_id, consumer: 'agent', created_at: new Date() })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('brief_item').values({ brief_id: brief.id, project_id, paper_id }).execute()
  await db.insertInto('found_tally').values({ project_id, day: '2026-01-02', sources: ['pubmed'], papers: 3 }).execute()
  const imported = await db
    .insertInto('library_import')
    .values({ account_id, project_id, file_name: 'library.ris', vote: 'upvote', created_at: new Date(), result: '{"read":1}' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('import_part').values({ import_id: imported.id, ordinal: 0, bytes: Buffer.from([0, 92, 255, 10]) }).execute()
  await db.updateTable('project_paper').set({ import_id: imported.id }).where('id', '=', item!.id).execute()
  await db.insertInto('job').values({ task: 'score-project', account_id, project_id, once_key: 'a', result: '{"scored":1}' }).execute()
  await saveZoteroAccount(db, { account_id, api_key: Buffer.from([0, 92, 255, 10]), user_id: '1', username: 'ada' })
  const [library, collection] = ['users/1', { key: 'ABCD2345', name: 'Reading' }]
  const synced = { library, library_name: 'Own', collections: [collection], learn: true, target: collection }
  await saveZoteroSync(db, account_id, project_id, synced)
  const zoteroItem = { item_key: 'AAAA2222', paper_id, state: 'sent' as const, target: collection.key, identities: ['doi 10.1000/"1"'] }
  await saveZoteroItems(db, account_id, { projectId: project_id, library }, [zoteroItem])
  await disableSource(db, 'crossref', new Date())
  const former = { project_id, until: new Date(), interest_description: '', positive_keywords: ['a'] }
  await db.insertInto('former_interest').values(former).execute()
  await createShareLink(db, account_id, { project_id, title: 'List', token_hash: Buffer.from([0, 92, 255, 10]) }, 1)
  const { id: snapshot_id } = await snapshotCreate.run(user.context, { project_id })
  await snapshotFreeze.run(user.context, { project_id })
  const publicPage = new URL((await snapshotPublish.run(user.context, { project_id, snapshot_id })).public_url!).pathname
  const folder = t.testdir()
  const file = join(folder, 'a.backup')
  const { rows } = await backup.run(context, { file })

  await t.test('a backup holds every row, and restores to an equal database', async t => {
    const written = rowsOf(file).filter(line => line.startsWith('{"table"')).map(line => JSON.parse(line).table as string)
    t.strictSame([...new Set(written)].sort(), [...backupTables].sort(), 'of every table there is one')
    t.equal(rows, written.length)
    await accountCreate.run(context, { email: 'later@example.org' })
    await t.rejects(restore.run(context, { file }), { code: 'invalid_arguments', message: /not empty.*--replace/ })
    t.match(await restore.run(context, { file, replace: true }), { rows })
    const again = join(folder, 'b.backup')
    await backup.run(context, { file: again })
    t.strictSame(rowsOf(again), rowsOf(file))
    t.equal((await accountsList.run(context, {})).total, 1)
  })

  await t.test('a restore drill compares every row, and finds what is missing or damaged', async t => {
    const abandoned = join(tmpdir(), `litfeed-verify-1-${randomUUID().slice(0, 6)}`)
    mkdirSync(join(abandoned, 'postgres'), { recursive: true })
    utimesSync(abandoned, new Date(0), new Date(0))
    const found = await backupVerify.run(context, { file })
    t.match(found, { ok: true, rows, compared: 'rows', version: newest, recorded: true })
    t.notOk(existsSync(abandoned), 'and removes the database of a killed one')
    t.strictSame(found.tables.map(({ name }) => name), [...backupTables])
    t.ok(found.tables.every(table => table.rows > 0 && table.rows === table.restored_rows))
    const truncated = join(folder, 'truncated.backup')
    writeFileSync(truncated, gzipSync(gunzipSync(readFileSync(file)).toString().split('\n').slice(0, -2).join('\n')))
    await t.rejects(backupVerify.run(context, { file: truncated }), { code: 'invalid_arguments', message: /is truncated/ })
    t.ok(existsSync(`${truncated}.verified`))
    await t.rejects(backupVerify.run(context, { file: join(folder, 'none') }), { message: /does not exist/ })
    const future = join(folder, 'future.backup')
    writeFileSync(future, gzipSync(gunzipSync(readFileSync(file)).toString().replace(newest, '2099-01-01-future')))
    await t.rejects(backupVerify.run(context, { file: future }), { message: /backup of database version 2099/ })
    t.notOk(existsSync(`${future}.verified`), 'another version may restore it')
    t.equal(readdirSync(tmpdir()).filter(name => name.startsWith(`litfeed-verify-${process.pid}-`)).length, 0, 'and removes its database')
  })

  await t.test('two concurrent backups to one name are both complete and leave no other file', async t => {
    const own = t.testdir({ taken: {} })
    const name = join(own, 'same.backup')
    await Promise.all([backup.run(context, { file: name }), backup.run(context, { file: name })])
    t.strictSame(rowsOf(name), rowsOf(file))
    await t.rejects(backup.run(context, { file: join(own, 'taken') }), { code: 'EISDIR' }, 'what cannot be named')
    t.strictSame(readdirSync(own), ['same.backup', 'taken'])
  })

  await t.test('a restore counts what gives access again, or leaves it out', async t => {
    const feedUrl = new URL((await feedAtomUrl.run(user.context, { project_id })).url)
    const readAtom = async () => (await service.app.inject({ url: `${feedUrl.pathname}${feedUrl.search}` })).statusCode
    t.equal(await readAtom(), 200)
    const readSnapshot = async () => (await service.app.inject({ url: publicPage })).statusCode
    t.match(await restore.run(context, { file, replace: true }), {
      rows, sessions: 1, keys: 1, share_links: 1, published_snapshots: 1, created_at: /Z$/
    })
    t.equal(await readSnapshot(), 200)
    const revoked = await restore.run(context, { file, replace: true, revoke_access: true })
    t.match(revoked, { rows: rows - 3, sessions: 0, keys: 0, share_links: 0, published_snapshots: 0 })
    t.equal(await readSnapshot(), 404, 'published snapshots are not any more')
    t.equal(await readAtom(), 404, 'Atom addresses end')
    t.equal((await accountsList.run(context, {})).total, 1)
    await restore.run(context, { file, replace: true })
    t.equal(await readAtom(), 200)
  })

  await t.test('restored data work: search, feedback, key', async t => {
    const { items: [found] } = await feedSearch.run(user.context, { project_id, q: 'groesse OR größe 17', feedback_filter: 'starred' })
    t.equal(found!.id, item!.id)
    t.equal((await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'ping' })).statusCode, 200)
  })

  await t.test(
    'a backup without administrators promotes the oldest account and fills new columns',
    async t => {
      const older = gunzipSync(readFileSync(file))
        .toString()
        .split('\n')
        .map(line => {
          const value = line === '' ? {} : JSON.parse(line)
          for (const column of ['administrator', 'disabled_at', 'kind', 'user_agent', 'last_used_at']) {
            if (value.table === 'account' || value.table === 'session') delete value.row[column]
          }
          return line === '' ? '' : JSON.stringify(value)
        })
      const path = join(folder, 'older.backup')
      writeFileSync(path, gzipSync(older.join('\n').replace(newest, '2026-11-22-search')))
      t.match(await restore.run(context, { file: path, replace: true }), { rows })
      t.match((await accountsList.run(context, {})).items, [{ email: user.email, administrator: true, disabled_at: null }])
      t.match(await context.db.selectFrom('session').selectAll().execute(), [{ kind: 'token', user_agent: null }])
      t.equal((await post(service, user.key, { jsonrpc: '2.0', id: 1, method: 'ping' })).statusCode, 200)
    }
  )

  await t.test('an older backup names the import that stated a source', async t => {
    const sources = async () => await db.selectFrom('found_paper').select(['sources', 'fetched_sources', 'imports']).execute()
    const { rows: found } = await sql`update found_paper set sources = '{pubmed,ris}' returning 1`.execute(db)
    t.ok(found.length > 0)
    const path = join(folder, 'one-import.backup')
    await backup.run(context, { file: path })
    const lines = gunzipSync(readFileSync(path)).toString().split('\n').map(line => {
      const value = line === '' ? {} : JSON.parse(line)
      if (value.table !== 'found_paper') return line
      const { fetched_sources: _fetched, imports: _imports, ...row } = value.row
      return JSON.stringify({ ...value, row: { ...row, import_id: imported.id, import_sources: ['ris'] } })
    })
    writeFileSync(path, gzipSync(lines.join('\n').replace(newest, '2026-12-21-unsubscriptions')))
    await restore.run(context, { file: path, replace: true })
    for (const row of await sources()) {
      t.strictSame(row, { sources: ['pubmed', 'ris'], fetched_sources: ['pubmed'], imports: { [imported.id]: ['ris'] } })
    }
    await restore.run(context, { file, replace: true })
  })

  await t.test('an older backup limits recall under a weekly limit, and names who asked for jobs', async t => {
    const lines = gunzipSync(readFileSync(file)).toString().split('\n').map(line => {
      const value = line === '' ? {} : JSON.parse(line)
      if (value.table === 'project') {
        delete value.row.recall_since
        value.row.weekly_limit = 5
      } else if (value.table === 'job') {
        delete value.row.requested_by
        value.row.state = 'waiting'
      } else {
        return line
      }
      return JSON.stringify(value)
    })
    for (const [version, isKnown] of [['2026-12-30-entered-index', true], [newest, false]] as const) {
      const path = join(folder, `${version}.backup`)
      writeFileSync(path, gzipSync(lines.join('\n').replace(newest, version)))
      await restore.run(context, { file: path, replace: true })
      t.equal((await db.selectFrom('project').select('recall_since').executeTakeFirstOrThrow()).recall_since !== null, isKnown, version)
      const jobs = await db.selectFrom('job').select('requested_by').execute()
      t.ok(jobs.length > 0)
      t.ok(jobs.every(({ requested_by }) => requested_by === (isKnown ? account_id : null)), version)
    }
    await restore.run(context, { file, replace: true })
  })

  await t.test('restores seen marks, or derives them from votes in an older backup', async t => {
    const voted = async () => (await feedSearch.run(user.context, { project_id, q: 'größe 17', feedback_filter: 'starred' })).items
    const text = gunzipSync(readFileSync(file)).toString()
    const unseen = text.replaceAll(/"seen_at": ?"[^"]*"/g, '"seen_at": null')
    t.not(unseen, text)
    for (const [version, isSeen] of [['2026-12-06-bounds', true], [newest, false]] as const) {
      const path = join(folder, `${version}.backup`)
      writeFileSync(path, gzipSync(unseen.replace(newest, version)))
      await restore.run(context, { file: path, replace: true })
      const [restored] = await voted()
      t.equal(restored!.seen_at, isSeen ? restored!.feedback!.updated_at : null, version)
    }
  })

  await t.test('an incomplete backup, or one of another version, changes nothing', async t => {
    const text = gunzipSync(readFileSync(file)).toString()
    const lines = text.split('\n')
    const firstPaper = lines.findIndex(line => line.startsWith('{"table":"paper"')) + 1
    const idOf = (line: number) => JSON.parse(lines[line - 1]!).row.id
    const withLine = (line: number, change: (value: any) => string | unknown) => {
      const value = JSON.parse(lines[line - 1]!)
      const changed = change(value)
      return gzipSync(lines.with(line - 1, typeof changed === 'string' ? changed : JSON.stringify(value)).join('\n'))
    }
    const notStored = (line: number, table = 'paper') =>
      new RegExp(`damaged in line ${line}: its row of ${table} cannot be stored \\(.+\\)\\. Nothing was changed`)
    const damaged: Array<[string, Buffer, RegExp]> = [
      ['lines are missing', gzipSync(text.split('\n').slice(0, 30).join('\n')), /is truncated/],
      ['bytes are missing', readFileSync(file).subarray(0, 2000), /damaged|truncated/],
      ['another JSON', gzipSync('{"a":1}\n'), /is not a Litfeed backup/],
      ['no gzip', Buffer.from('hello'), /is not a Litfeed backup or is damaged/],
      ['a newer version', gzipSync(text.replace(newest, '2099-01-01-future')), /backup of database version 2099-01-01-future/],
      ['a version too old', gzipSync(text.replace(newest, '2026-11-20-first')), /too old for/],
      [
        'an unknown table',
        gzipSync(text.replace('"table":"job"', '"table":"jobs"').replace('"table":"paper"', '"table":"pg_authid"')),
        /damaged in line \d+: its table is unknown\. Nothing was changed/
      ],
      ['a line that is no JSON', withLine(5, () => '{"table":'), /damaged in line 5: it is not valid JSON\. Nothing was changed/],
      ['a line that is null', withLine(5, () => 'null'), /damaged in line 5: it is not a row of a table\. Nothing was changed/],
      ['a line that is a list', withLine(5, () => '[]'), /damaged in line 5: it is not a row of a table\. Nothing was changed/],
      ['an empty line', withLine(5, () => ''), /damaged in line 5: it is not valid JSON\. Nothing was changed/],
      [
        'a table without a row',
        withLine(5, () => '{"table":"project"}'),
        /damaged in line 5: it has no row of project\. Nothing was changed/
      ],
      [
        'a row that is a text',
        withLine(5, () => '{"table":"project","row":"text"}'),
        /damaged in line 5: it has no row of project\. Nothing was changed/
      ],
      ['a row that is empty', withLine(firstPaper, () => '{"table":"paper","row":{}}'), notStored(firstPaper)],
      ['a row with nothing that the table has', withLine(2, () => '{"table":"account","row":{"other":1}}'), notStored(2, 'account')],
      [
        'a row without a column that it needs',
        withLine(firstPaper + 300, value => {
          delete value.row.title
        }),
        notStored(firstPaper + 300)
      ],
      [
        'a bad id',
        withLine(firstPaper + 299, value => {
          value.row.id = 'x'
        }),
        notStored(firstPaper + 299)
      ],
      [
        "an id that is another row's",
        withLine(firstPaper + 4, value => {
          value.row.id = idOf(firstPaper + 3)
        }),
        notStored(firstPaper + 4)
      ],
      [
        'a reference to nothing',
        withLine(firstPaper + 650, value => {
          value.row.paper_id = '00000000-0000-4000-8000-000000000000'
        }),
        notStored(firstPaper + 650, 'project_paper')
      ],
      [
        'a number that is a text',
        withLine(firstPaper + 650, value => {
          value.row.relevance_score = 'much'
        }),
        notStored(firstPaper + 650, 'project_paper')
      ]
    ]
    for (const [name, bytes, message] of damaged) {
      const path = join(folder, 'damaged')
      writeFileSync(path, bytes)
      await t.rejects(restore.run(context, { file: path, replace: true }), { code: 'invalid_arguments', message }, name)
    }
    await t.rejects(restore.run(context, { file: join(folder, 'missing'), replace: true }), {
      message: /does not exist\. Nothing was changed/
    })
    t.equal((await feedSearch.run(user.context, { project_id, q: 'größe', limit: 100 })).items.length, 100)
  })
})
