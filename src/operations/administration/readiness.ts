import { Type } from 'typebox'
import { databaseVersion, isCurrent } from '../../../db/migrate.js'
import { NoInput } from '../../../schemas/project.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

export const Readiness = Type.Object({
  ready: Type.Boolean({ description: 'Whether requests can be answered.' }),
  database: Type.Boolean({ description: 'Whether the database answers.' }),
  migrations: Type.Boolean({ description: 'Whether the database is at this program\'s version.' }),
  version: Type.String({ description: 'The database\'s version.' })
})

/** Whether the service can do its work now: the database answers, and has this program's tables. */
export const readiness = operation({
  name: 'readiness',
  title: 'Readiness',
  description: 'Tells whether requests can be answered.',
  input: NoInput,
  output: Readiness,
  async handler ({ db, log }: ServiceContext) {
    try {
      const [version, migrations] = [await databaseVersion(db), await isCurrent(db)]
      return { ready: migrations, database: true, migrations, version: version ?? 'none' }
    } catch (cause) {
      log.warn({ err: cause }, 'The database does not answer.')
      return { ready: false, database: false, migrations: false, version: 'unknown' }
    }
  }
})
