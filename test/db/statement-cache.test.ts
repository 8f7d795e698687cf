import t from 'tap'
import { sql } from 'kysely'
import { connect } from '../../db/connection.js'
import { StatementCache } from '../../db/embedded/statement-cache.js'
import { copyTemplate, makeTemplate } from '../support/database.js'

t.test('the embedded database plans frequent statements once', async t => {
  await makeTemplate()
  const { db, close } = await connect({ dataDir: copyTemplate(t), name: 'a test', share: false })
  t.teardown(close)
  const numbers = Array.from({ length: 20 }, (_, number) => number)
  const named = async () => (await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db)).rows
    .map(({ statement }) => statement)

  t.test('on all connections, with the right result for each', async t => {
    const doubled = async (number: number) => (await sql<{ double: number }>`select 2 * ${number}::int as double`.execute(db)).rows[0]!.double
    t.strictSame(await Promise.all(numbers.map(doubled)), numbers.map(number => 2 * number))
    t.strictSame(await named(), ['select 2 * $1::int as double'])
  })

  t.test('and runs them again after an error, also in a transaction', async t => {
    const divide = async (number: number, within = db) => (await sql<{ share: number }>`select 100 / ${number}::int as share`.execute(within)).rows[0]!.share
    for (const number of [1, 2, 4, 5, 10, 20, 25, 50]) t.equal(await divide(number), 100 / number)
    for (let time = 0; time < 3; time++) await t.rejects(divide(0), { code: '22012' })
    t.equal(await divide(2), 50)
    for (let time = 0; time < 8; time++) {
      await t.rejects(db.transaction().execute(async transaction => {
        await divide(5, transaction)
        await divide(0, transaction)
      }), { code: '22012' })
      t.equal(await divide(5), 20)
    }
  })

  t.test('until a change of the schema', async t => {
    await sql`create table measured (number int)`.execute(db)
    await sql`insert into measured values (1)`.execute(db)
    const read = async () => (await sql`select * from measured where number = ${1}`.execute(db)).rows
    for (let time = 0; time < 20; time++) t.strictSame(await read(), [{ number: 1 }])
    await sql`alter table measured add column unit text`.execute(db)
    t.strictSame(await read(), [{ number: 1, unit: null }])
  })

  t.test('and keeps a bounded number of plans', async t => {
    for (let column = 0; column < 100; column++) {
      for (let time = 0; time < 6; time++) await sql`select ${time}::int as ${sql.ref(`column_${column}`)}`.execute(db)
    }
    const names = await named()
    t.ok(names.length >= 40 && names.length <= 64, `${names.length} plans`)
    t.ok(names.some(text => text.includes('column_99')), 'the last used ones')
  })
})

/** A message of the wire protocol. */
function message (type: string, body = ''): Buffer {
  const bytes = Buffer.from(`${type}____${body}`, 'latin1')
  bytes.writeInt32BE(bytes.length - 1, 1)
  return bytes
}

/** A statement as the driver sends it. */
const request = ({ statement = '', portal = '', text = 'select $1' } = {}) => [
  message('P', `${statement}\0${text}\0\0\0`), message('B', `${portal}\0${statement}\0\0\0\0\0\0\0`), message('D', 'P\0'),
  message('E', '\0\0\0\0\0'), message('S')
]

t.test('a plan is made again after a while', async t => {
  let now = 1
  const cache = new StatementCache(() => now)
  const use = (times: number, at: number) => {
    now = at
    return Array.from({ length: times }, () => cache.rewrite(request())).at(-1)!
  }
  const named = request({ statement: 'cached_1' })
  t.strictSame(use(5, 1).messages, named)
  const cached = use(1, 9000)
  t.strictSame(cached.messages, named.slice(1))
  t.ok(cached.isParsed)
  t.strictSame(cache.takeUnused(), [])
  t.strictSame(use(1, 11_000).messages, request(), 'unnamed again')
  t.strictSame(cache.takeUnused(), ['cached_1'])
  t.strictSame(use(4, 11_000).messages, request({ statement: 'cached_2' }))
  t.ok(use(1, 11_000).isParsed)
})

t.test('other requests are left as they are', async t => {
  const cache = new StatementCache()
  const requests = {
    'without parameters': [message('Q', 'select 1\0')],
    'a cursor': request({ portal: 'cursor' }),
    'a named statement': request({ statement: 'mine' }),
    'a long text': request({ text: `select $1 /* ${'x'.repeat(20_000)} */` })
  }
  for (const [name, sent] of Object.entries(requests)) {
    for (let time = 0; time < 10; time++) t.equal(cache.rewrite(sent).messages, sent, name)
  }
})
