import t from 'tap'
import { sql } from 'kysely'
import { measureEventLoop, isBelow } from '../support/event-loop.js'
import { testService } from '../support/service.js'

t.test('other work runs between the rows of a large result', async t => {
  const { context: { db } } = await testService(t)
  // A hundred rows of 170 kB, whose JSON takes a millisecond or two to parse.
  const read = async () => await sql<{ names: unknown[] }>`
    select (select jsonb_agg(jsonb_build_object('name', 'Ada Example' || i)) from generate_series(1, 6000) as i) as names
    from generate_series(1, 100)`.execute(db)
  await read()
  const { result: { rows }, worstCpu } = await measureEventLoop(read)
  t.equal(rows.length, 100)
  t.ok(rows.every(({ names }) => names.length === 6000))
  t.ok(isBelow(worstCpu, 25), `${worstCpu} ms of CPU time`)
})
