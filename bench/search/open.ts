import { openService, type Service } from '../../src/service.js'
import { readSettings } from '../../src/composition/settings.js'
import { postgresUrl, temporaryDirectory } from '../process.js'

const silent = () => {}

/** Opens a service on a new embedded database, or on the PostgreSQL of BENCH_DATABASE_URL. */
export const openBench = (kind: string): Promise<Service> =>
  openService({
    settings: readSettings({
      DATA_DIR: temporaryDirectory(),
      JWT_SECRET: 'x'.repeat(32),
      ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl! })
    }),
    log: { info: silent, warn: silent, error: silent },
    name: 'bench',
    share: false
  })
