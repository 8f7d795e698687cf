import { type Static, Type } from 'typebox'
import { Account } from './account.js'
import { Job, jobStates } from './job.js'
import { Nullable, Words } from './nullable.js'
import { page } from './paging.js'

const Time = Type.String({ format: 'date-time' })
const Bytes = (description: string) => Type.Integer({ minimum: 0, description })
const Count = (description: string) => Type.Integer({ minimum: 0, description })

/** All accounts, for administrators. */
export const AccountsListResult = Type.Object({
  items: Type.Array(Type.Object({
    ...Account.properties,
    projects: Count('Number of projects.'),
    last_used_at: Nullable(Time, 'Last use of a session or the key, to the minute.')
  }), { description: 'Oldest first.' }),
  total: Count('Number of accounts.')
})
export type AccountsListResult = Static<typeof AccountsListResult>

/** Changes of an account by an administrator. */
export const AccountUpdateInput = Type.Object(
  {
    account_id: Type.String({ format: 'uuid', description: "The account's UUID." }),
    disabled: Type.Optional(
      Type.Boolean({
        description:
          'true: ends sessions, stops the key and Atom feeds, and pauses projects; deletes nothing. false: restores everything but the ' +
          'sessions.'
      })
    ),
    administrator: Type.Optional(Type.Boolean({ description: 'Whether the account is an administrator.' }))
  },
  { additionalProperties: false }
)

/** A job for administrators, without its subject and result. */
export const AdministrationJob = Type.Object({
  ...Type.Pick(Job, ['id', 'task', 'state', 'attempts', 'error', 'created_at', 'updated_at']).properties,
  account_email: Nullable(Type.String(), 'Owner of the job; null for jobs of the service.')
}, { description: 'A background job.' })

/** A page of all accounts' jobs with the number of jobs by state. */
export const AdministrationJobsResult = Type.Object({
  items: Type.Array(AdministrationJob, { description: 'Most recently changed first.' }),
  total: Count('Number of matching jobs.'),
  counts: Type.Object(
    Object.fromEntries(jobStates.map(state => [state, Count(`Number of ${state} jobs.`)])) as Record<
      (typeof jobStates)[number],
      ReturnType<typeof Count>
    >,
    { description: 'Jobs by state.' }
  ),
  ...page
})
export type AdministrationJobsResult = Static<typeof AdministrationJobsResult>

/** Version, database, storage, counts and features of the installation. */
export const ServiceReport = Type.Object({
  version: Type.String({ description: 'Version of Litfeed.' }),
  node_version: Type.String({ description: 'Version of Node.js.' }),
  started_at: Type.String({ ...Time, description: 'Start time of this process.' }),
  uptime_seconds: Count('Uptime of this process.'),
  memory_bytes: Bytes('Resident memory of the process.'),
  ready: Type.Boolean({ description: 'Whether the service is ready.' }),
  database: Type.Object({
    kind: Words(['embedded', 'postgresql'], { description: 'Embedded database or PostgreSQL server.' }),
    version: Type.String({ description: 'Version of PostgreSQL.' }),
    migration: Type.String({ description: 'Last applied migration.' }),
    bytes: Bytes('Size of the database.'),
    tables: Type.Array(Type.Object({
      name: Type.String({ description: 'Name of the table.' }),
      rows: Nullable(Type.Integer({ minimum: 0 }), 'Estimated number of rows; null if not analyzed yet.'),
      bytes: Bytes('Size including indexes.')
    }), { description: 'Largest first.' })
  }, { description: 'The database.' }),
  disk: Nullable(
    Type.Object({ free_bytes: Bytes('Free space.'), total_bytes: Bytes('Total space.') }),
    'Disk of DATA_DIR; null if unreadable.'
  ),
  backups: Nullable(Type.Object({
    directory: Type.String({ description: 'BACKUP_DIR.' }),
    every_hours: Type.Integer({ description: 'BACKUP_EVERY.' }),
    keep: Type.Integer({ description: 'BACKUP_KEEP.' }),
    last_success: Nullable(Type.Object({
      at: Time,
      file: Type.String({ description: 'Name of the file.' }),
      rows: Count('Rows in it.'),
      bytes: Bytes('Size of the file.')
    }), 'The last scheduled backup; null if there is none.'),
    last_failure: Nullable(
      Type.Object({ at: Time, error: Type.String({ description: 'Why it failed.' }) }),
      'The last failure; null if none is known.'
    ),
    failing: Type.Boolean({ description: 'Whether the last scheduled backup failed.' })
  }), 'Scheduled backups; null if BACKUP_DIR is not set.'),
  counts: Type.Object({
    accounts: Count('Accounts.'),
    projects: Count('Projects.'),
    papers: Count('Papers; large numbers are estimates.'),
    feed_items: Count('Feed items; large numbers are estimates.'),
    full_texts: Count('Full texts; large numbers are estimates.'),
    jobs_waiting: Count('Waiting jobs.'),
    jobs_running: Count('Running jobs.'),
    jobs_failed: Count('Failed jobs.')
  }, { description: 'Totals.' }),
  features: Type.Array(Type.Object({
    name: Type.String({ description: 'Name of the feature.' }),
    on: Type.Boolean({ description: 'Whether it is enabled.' }),
    setting: Type.String({ description: 'Setting that controls it.' }),
    detail: Nullable(Type.String(), 'Value of the setting, unless secret.')
  }), { description: 'Features controlled by settings.' })
})
export type ServiceReport = Static<typeof ServiceReport>
