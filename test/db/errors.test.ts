import t from 'tap'
import { type RawBuilder, sql } from 'kysely'
import { connect } from '../../db/connection.js'
import {
  CertificateRejected,
  DatabaseError,
  DatabaseNotWritable,
  DatabaseUnreachable,
  DataRefused,
  ForeignKeyViolation,
  LockNotAvailable,
  SerializationConflict,
  UniqueViolation,
  toDatabaseError
} from '../../db/errors.js'
import { fromDatabaseError } from '../../src/errors/database-errors.js'
import { connectionTimeoutMs, testDatabase } from '../support/database.js'

const nobody = '00000000-0000-4000-8000-000000000000'
const marker = 'do-not-leak'

t.test('database errors', async t => {
  const { db, close } = await connect({ ...await testDatabase(t), name: 'test', share: false, poolSize: 2, connectionTimeoutMs })
  t.teardown(close)
  const thrownBy = async (work: Promise<unknown>): Promise<unknown> => await work.then(() => undefined, error => error)
  const account = (email: string) => sql`insert into account (email, password_hash) values (${email}, '')`
  const raise = (state: string) => sql`do ${sql.raw(`$$ begin raise exception '${marker}' using errcode = '${state}'; end $$`)}`

  t.test('have a class per reaction', async t => {
    await account('one@example.org').execute(db)
    const cases: Array<[string, RawBuilder<unknown>, new () => DatabaseError]> = [
      ['a second row with one key', account('one@example.org'), UniqueViolation],
      ['a reference to no row', sql`insert into project (account_id, name) values (${nobody}, 'Name')`, ForeignKeyViolation],
      ['a value of another type', sql`select ${marker}::text::uuid`, DataRefused],
      ['a missing value', sql`insert into account (email, password_hash) values (null, '')`, DataRefused],
      ['a serialization failure', raise('40001'), SerializationConflict],
      ['a deadlock', raise('40P01'), SerializationConflict],
      ['a lock that is taken', raise('55P03'), LockNotAvailable],
      ['a full disk', raise('53100'), DatabaseNotWritable],
      ['too many connections', raise('53300'), DatabaseUnreachable],
      ['a shutdown', raise('57P01'), DatabaseUnreachable],
      ['a broken statement', sql`select from ${sql.table(marker)}`, DatabaseError]
    ]
    for (const [name, statement, expected] of cases) {
      const error = await thrownBy(statement.execute(db)) as DatabaseError
      t.equal(error.constructor, expected, name)
      t.equal(error.name, expected.name, name)
      t.ok(error.cause instanceof Error, `${name}: the driver's error is the cause`)
      t.equal(error.code, (error.cause as { code: string }).code, name)
      t.notMatch(`${error.message} ${fromDatabaseError(error)?.message}`, marker, `${name}: the message of the driver stays in the cause`)
    }
  })

  t.test('are also thrown by cursors, commits and writes in a read-only transaction', async t => {
    t.type(await thrownBy(db.transaction().execute(async transaction => {
      await sql`declare numbers cursor for select 1 / (3 - n) from generate_series(1, 5) as n`.execute(transaction)
      await sql`fetch 2 from numbers`.execute(transaction)
      await sql`fetch 1 from numbers`.execute(transaction)
    })), DataRefused, 'a cursor')
    await sql`create table child (id uuid references account (id) deferrable initially deferred)`.execute(db)
    t.type(
      await thrownBy(
        db.transaction().execute(async transaction => await sql`insert into child (id) values (${nobody})`.execute(transaction))
      ),
      ForeignKeyViolation,
      'at the commit'
    )
    t.type(
      await thrownBy(
        db
          .transaction()
          .setAccessMode('read only')
          .execute(async transaction => await account('two@example.org').execute(transaction))
      ),
      DatabaseNotWritable
    )
  })

  t.test('leave other errors and the connection intact', async t => {
    const own = new Error('own')
    t.equal(await thrownBy(db.transaction().execute(async () => { throw own })), own)
    t.equal(fromDatabaseError(own), undefined)
    t.strictSame((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
  })
})

t.test('an unreachable server', async t => {
  const { db, close } = await connect({ databaseUrl: 'postgres://postgres@127.0.0.1:1/postgres', dataDir: '', name: 'test', share: false })
  t.teardown(close)
  const error = await sql`select 1`.execute(db).then(() => undefined, error => error)
  t.match(error, { constructor: DatabaseUnreachable, code: 'ECONNREFUSED', message: 'The database cannot be reached.' })
  t.match(fromDatabaseError(error), { code: 'unavailable', retryAfter: 5 })
})

t.test('a lost route and a rejected certificate count as an unreachable server', async t => {
  const withCode = (code: string) => toDatabaseError(Object.assign(new Error(code), { code }))
  for (const code of ['ENETUNREACH', 'ENETDOWN', 'EHOSTDOWN', 'EADDRNOTAVAIL']) t.type(withCode(code), DatabaseUnreachable, code)
  for (const code of [
    'SELF_SIGNED_CERT_IN_CHAIN', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'CERT_HAS_EXPIRED',
    'ERR_TLS_CERT_ALTNAME_INVALID'
  ]) {
    const error = withCode(code)
    t.type(error, CertificateRejected, code)
    t.match(fromDatabaseError(error), { code: 'unavailable', status: 503 }, code)
  }
})
