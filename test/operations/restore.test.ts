import { type KyselyPlugin, sql, type ValueNode } from 'kysely'
import t from 'tap'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { migrations } from '../../db/migrations/index.js'
import type { ReadConsistently } from '../../db/consistent-read.js'
import { backup } from '../../src/operations/administration/backup.js'
import type { ServiceContext } from '../../src/operations/context.js'
import { restore } from '../../src/operations/administration/restore.js'
import { projectWith, testService } from '../support/service.js'
import { readUpload, storeUpload } from '../support/uploads.js'
import { until } from '../support/until.js'

/** The longest piece that went to the database or came from it, in characters. */
function watching (context: ServiceContext): { watched: ServiceContext, longest: () => number } {
  let longest = 0
  const note = (texts: unknown[]) => {
    longest = Math.max(
      longest,
      texts.reduce<number>((sum, text) => sum + (typeof text === 'string' ? text.length : 0), 0)
    )
  }
  const plugin: KyselyPlugin = {
    transformQuery ({ node }) {
      if (node.kind === 'RawNode') note(node.parameters.map(parameter => (parameter as ValueNode).value))
      return node
    },
    async transformResult ({ result }) {
      note(result.rows.flatMap(row => Object.values(row)))
      return result
    }
  }
  const readConsistently: ReadConsistently = run => context.readConsistently(transaction => run(transaction.withPlugin(plugin)))
  const watched = {
    ...context,
    db: context.db.withPlugin(plugin),
    readConsistently
  }
  return { watched, longest: () => longest }
}

const newest = Object.keys(migrations).at(-1)!

t.test('a restore waits for transactions on several tables, and both complete', async t => {
  const service = await testService(t)
  const { context: { db, installation: { databaseKind } }, context } = service
  const project_id = await projectWith(await service.user(), [{ title: 'Kept' }])
  const file = join(t.testdir(), 'a.backup')
  const { rows } = await backup.run(context, { file })
  let restoring: Promise<unknown> | undefined
  await db.transaction().execute(async transaction => {
    const change = async (table: 'project' | 'account') =>
      await sql`update ${sql.table(table)} set created_at = created_at`.execute(transaction)
    await change('project')
    restoring = restore.run(context, { file, replace: true })
    restoring.catch(() => {})
    // The embedded database has one transaction at a time.
    await until(
      async () =>
        databaseKind === 'embedded' ||
        (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)).rows.length >
          0
    )
    await change('account')
  })
  t.match(await restoring, { rows })
  t.match(await db.selectFrom('project').select('id').execute(), [{ id: project_id }])
})

t.test('large rows are processed in small batches', async t => {
  const service = await testService(t)
  const user = await service.user()
  // Two of their rows exceed the bounds below.
  await projectWith(user, Array.from({ length: 4 }, (_, at) => ({ title: `Paper ${at}` })))
  const { watched, longest } = watching(service.context)
  const papers = await service.context.db.selectFrom('paper').select('id').execute()
  const megabytes = 2
  const contentOf = (id: string) => Buffer.alloc(megabytes * 3_000_000, id)
  for (const { id } of papers) {
    await storeUpload(service.context.db, { account_id: user.context.account.id, paper_id: id, bytes: contentOf(id) })
    await service.context.db
      .insertInto('markdown')
      .values({
        paper_id: id,
        account_id: null,
        markdown: 'word '.repeat(megabytes * 200_000),
        origin: 'test',
        converter: 'test',
        warnings: '[]'
      })
      .execute()
  }
  const file = join(t.testdir(), 'large.backup')
  await backup.run(watched, { file })
  t.ok(longest() < 1.5 * megabytes * 1_000_000, `${longest()} characters were read at once`)
  await restore.run(watched, { file, replace: true })
  t.ok(longest() > megabytes * 1_000_000 && longest() < 3_000_000, `${longest()} characters were written at once`)
  for (const { id } of papers) t.ok((await readUpload(service.context.db, user.context.account.id, id))!.equals(contentOf(id)))
})

t.test('a restore whose search index cannot be completed has restored the data', async t => {
  const { context, user } = await testService(t)
  await projectWith(await user(), [{ title: 'A paper' }])
  const file = join(t.testdir(), 'one.backup')
  const { rows } = await backup.run(context, { file })
  const db = context.db.withPlugin({
    transformQuery ({ node }) {
      if (JSON.stringify(node).includes('"name":"search_segment"') && node.kind === 'InsertQueryNode') throw new Error('no space')
      return node
    },
    transformResult: async ({ result }) => result
  })
  t.match(await restore.run({ ...context, db }, { file, replace: true }), { rows, index_error: 'no space' })
  t.match(await context.db.selectFrom('paper').select('title').execute(), [{ title: 'A paper' }])
})

t.test('restores PDFs stored in one row', async t => {
  const service = await testService(t)
  const user = await service.user()
  await projectWith(user, [{ title: 'Paper' }])
  const { id: paper_id } = await service.context.db.selectFrom('paper').select('id').executeTakeFirstOrThrow()
  const bytes = randomBytes(700_000)
  const { created_at } = await storeUpload(service.context.db, { account_id: user.context.account.id, paper_id, bytes })
  const folder = t.testdir()
  const [file, older] = [join(folder, 'a.backup'), join(folder, 'older.backup')]
  await backup.run(service.context, { file })
  const lines = gunzipSync(readFileSync(file))
    .toString()
    .split('\n')
    .filter(line => !line.startsWith('{"table":"pdf_part"'))
    .map(line => {
      if (line.startsWith('{"table":"pdf_upload"')) {
        return JSON.stringify({
          table: 'pdf_upload',
          row: { account_id: user.context.account.id, paper_id, created_at, bytes: `\\x${bytes.toString('hex')}` }
        })
      }
      return line.startsWith('{"end"') ? line.replace(/"rows":(\d+)/, (_match, rows) => `"rows":${rows - 3}`) : line
    })
  writeFileSync(older, gzipSync(lines.join('\n').replace(newest, '2026-11-27-papers')))
  await restore.run(service.context, { file: older, replace: true })
  t.ok((await readUpload(service.context.db, user.context.account.id, paper_id))!.equals(bytes))
})
