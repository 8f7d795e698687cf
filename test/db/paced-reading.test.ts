import t from 'tap'
import { sql } from 'kysely'
import pg from 'pg'
import { testService } from '../support/service.js'

const rowMs = 2
const { JSONB } = pg.types.builtins

t.test('other work runs between the rows of a large result', async t => {
  const { context: { db } } = await testService(t)
  const usual = pg.types.getTypeParser(JSONB)
  t.teardown(() => pg.types.setTypeParser(JSONB, usual))
  let sinceTurn = 0
  pg.types.setTypeParser(JSONB, text => {
    sinceTurn++
    const began = performance.now()
    while (performance.now() - began < rowMs);
    return text.length
  })
  // The time that a row takes is fixed, so that the rows of a turn do not depend on the machine: a slower one parses fewer.
  let most = 0
  let turn = setImmediate(function count () {
    most = Math.max(most, sinceTurn)
    sinceTurn = 0
    turn = setImmediate(count)
  })
  t.teardown(() => clearImmediate(turn))
  const { rows } = await sql<{ text: number }>`
    select to_jsonb(repeat('x', 40000)) as text from generate_series(1, 200)`.execute(db)
  t.equal(rows.length, 200)
  t.ok(rows.every(({ text }) => text === 40_002))
  // Five milliseconds, and what one read of the socket holds.
  t.ok(most > 0 && most <= 8, `${most} rows in a turn of the event loop`)
})
