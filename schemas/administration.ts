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
    projects: Count('How many projects it has.'),
    last_used_at: Nullable(Time, 'When a session or the key of it was last used, to the minute.')
  }), { description: 'Oldest first.' }),
  total: Count('How many there are.')
})
export type AccountsListResult = Static<typeof AccountsListResult>

/** What an administrator changes on an account. */
export const AccountUpdateInput = Type.Object({
  account_id: Type.String({ format: 'uuid', description: 'The account\'s UUID.' }),
  disabled: Type.Optional(Type.Boolean({ description: 'true: sessions end, the key and the Atom addresses stop working, and the projects rest; nothing is deleted. false: all of it works again.' })),
  administrator: Type.Optional(Type.Boolean({ description: 'Whether it administers the service.' }))
}, { additionalProperties: false })

/** A job as an administrator sees it: not what it works on, nor what came of it. */
export const AdministrationJob = Type.Object({
  ...Type.Pick(Job, ['id', 'task', 'state', 'attempts', 'error', 'created_at', 'updated_at']).properties,
  account_email: Nullable(Type.String(), 'Whose job it is; null where it is everybody\'s.')
}, { description: 'A piece of background work.' })

/** A page of all accounts' jobs with the number of jobs by state. */
export const AdministrationJobsResult = Type.Object({
  items: Type.Array(AdministrationJob, { description: 'Last changed first.' }),
  total: Count('Jobs that match, on all pages.'),
  counts: Type.Object(Object.fromEntries(jobStates.map(state => [state, Count(`Jobs that are ${state}.`)])) as Record<typeof jobStates[number], ReturnType<typeof Count>>, { description: 'Jobs by state.' }),
  ...page
})
export type AdministrationJobsResult = Static<typeof AdministrationJobsResult>

/** Version, database, storage, counts and features of the installation. */
export const ServiceReport = Type.Object({
  version: Type.String({ description: 'The program\'s version.' }),
  node_version: Type.String({ description: 'The version of Node.js that runs it.' }),
  started_at: Type.String({ ...Time, description: 'When this process started.' }),
  uptime_seconds: Count('How long it has run.'),
  memory_bytes: Bytes('Memory that the process holds.'),
  ready: Type.Boolean({ description: 'Whether requests can be answered.' }),
  database: Type.Object({
    kind: Words(['embedded', 'postgresql'], { description: 'The embedded database, or a PostgreSQL server.' }),
    version: Type.String({ description: 'The version of PostgreSQL.' }),
    migration: Type.String({ description: 'The version of the tables.' }),
    bytes: Bytes('Size of the whole database.'),
    tables: Type.Array(Type.Object({
      name: Type.String({ description: 'Name of the table.' }),
      rows: Nullable(Type.Integer({ minimum: 0 }), 'Rows, as the database estimates them; null while it has not looked.'),
      bytes: Bytes('Size with its indexes.')
    }), { description: 'The largest first.' })
  }, { description: 'Where everything is kept.' }),
  disk: Nullable(Type.Object({ free_bytes: Bytes('Free.'), total_bytes: Bytes('In all.') }), 'The disk of DATA_DIR; null where it cannot be read.'),
  counts: Type.Object({
    accounts: Count('Accounts.'),
    projects: Count('Projects.'),
    papers: Count('Papers; estimated when there are many.'),
    feed_items: Count('Papers in feeds; estimated when there are many.'),
    full_texts: Count('Papers\' full texts; estimated when there are many.'),
    jobs_waiting: Count('Jobs that wait.'),
    jobs_running: Count('Jobs that run.'),
    jobs_failed: Count('Jobs that failed.')
  }, { description: 'How much there is.' }),
  features: Type.Array(Type.Object({
    name: Type.String({ description: 'What it is.' }),
    on: Type.Boolean({ description: 'Whether this process has it.' }),
    setting: Type.String({ description: 'The setting that decides it.' }),
    detail: Nullable(Type.String(), 'How it is set, where that is no secret.')
  }), { description: 'What the settings turn on.' })
})
export type ServiceReport = Static<typeof ServiceReport>
