import { Type } from 'typebox'
import { databaseVersion, newestVersion } from '../../../db/migrate.js'
import { NoInput } from '../../../schemas/empty.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const Readiness = Type.Object({
  ready: Type.Boolean({ description: 'Whether the service can answer requests.' }),
  database: Type.Boolean({ description: 'Whether the database responds.' }),
  migrations: Type.Boolean({ description: 'Whether the database has this program\'s version.' }),
  version: Type.String({ description: 'The database\'s version.' })
})

/** Checks that the database responds and has this program's version. */
export const readiness = operation({
  name: 'readiness',
  title: 'Readiness',
  description: 'Returns whether the service can answer requests.',
  input: NoInput,
  output: Readiness,
  async handler ({ db, log }: ServiceContext) {
    try {
      const version = await databaseVersion(db)
      const migrations = version === newestVersion
      return { ready: migrations, database: true, migrations, version: version ?? 'none' }
    } catch (cause) {
      log.warn({ err: cause }, 'The database does not respond.')
      return { ready: false, database: false, migrations: false, version: 'unknown' }
    }
  }
})
