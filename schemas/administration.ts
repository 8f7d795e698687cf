import { type Static, Type } from 'typebox'
import { Account } from './account.js'
import { count, time } from './fields.js'
import { Job, JobsListInput, jobStates, taskNames } from './job.js'
import { Nullable, Words } from './nullable.js'
import { maxLimit, page, paging } from './paging.js'

/** A page of all accounts, which is long enough for most installations. */
export const AccountsListInput = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxLimit, default: maxLimit, description: 'Page size.' })),
  offset: paging.offset
}, { additionalProperties: false })

/** A page of all accounts, for administrators. */
export const AccountsListResult = Type.Object({
  items: Type.Array(Type.Object({
    ...Account.properties,
    projects: count('Number of projects.'),
    storage_bytes: count('Storage that UPLOAD_QUOTA counts: uploads waiting for their job, and texts of uploads and imported papers.'),
    last_used_at: Nullable(time(), 'Last use of a session or the key, to the minute.')
  }), { description: 'Oldest first.' }),
  total: count('Number of accounts.'),
  ...page
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

const TaskName = Words(taskNames, { description: 'Kind of the jobs.' })

/** Filters all accounts' jobs. */
export const AdministrationJobsInput = Type.Object(
  { ...JobsListInput.properties, task: Type.Optional(TaskName) },
  { additionalProperties: false }
)

/** Names a kind of jobs. */
export const AdministrationJobsRetryInput = Type.Object({ task: TaskName }, { additionalProperties: false })

/** How many failed jobs of a kind were requeued. */
export const AdministrationJobsRetried = Type.Object({
  task: TaskName,
  retried: count('Jobs that were requeued. Of several failed jobs for one object, only the newest is.')
})

/** A page of all accounts' jobs with the number of jobs by state. */
export const AdministrationJobsResult = Type.Object({
  items: Type.Array(AdministrationJob, { description: 'Most recently changed first.' }),
  total: count('Number of matching jobs.'),
  counts: Type.Object(
    Object.fromEntries(jobStates.map(state => [state, count(`Number of ${state} jobs.`)])) as Record<
      (typeof jobStates)[number],
      ReturnType<typeof count>
    >,
    { description: 'Jobs by state, of the kind if one is given.' }
  ),
  ...page
})
export type AdministrationJobsResult = Static<typeof AdministrationJobsResult>

/** Version, database, storage, counts and features of the installation. */
export const ServiceReport = Type.Object({
  version: Type.String({ description: 'Version of Litfeed.' }),
  node_version: Type.String({ description: 'Version of Node.js.' }),
  started_at: time('Start time of this process.'),
  uptime_seconds: count('Uptime of this process.'),
  memory_bytes: count('Resident memory of the process.'),
  ready: Type.Boolean({ description: 'Whether the service is ready.' }),
  database: Type.Object({
    kind: Words(['embedded', 'postgresql'], { description: 'Embedded database or PostgreSQL server.' }),
    version: Type.String({ description: 'Version of PostgreSQL.' }),
    migration: Type.String({ description: 'Last applied migration.' }),
    bytes: count('Size of the database.'),
    tables: Type.Array(Type.Object({
      name: Type.String({ description: 'Name of the table.' }),
      rows: Nullable(Type.Integer({ minimum: 0 }), 'Estimated number of rows; null if not analyzed yet.'),
      bytes: count('Size including indexes.')
    }), { description: 'Largest first.' })
  }, { description: 'The database.' }),
  disk: Nullable(
    Type.Object({ free_bytes: count('Free space.'), total_bytes: count('Total space.') }),
    'Disk of DATA_DIR; null if unreadable.'
  ),
  backups: Nullable(Type.Object({
    directory: Type.String({ description: 'BACKUP_DIR.' }),
    every_hours: Type.Integer({ description: 'BACKUP_EVERY.' }),
    keep: Type.Integer({ description: 'BACKUP_KEEP.' }),
    last_success: Nullable(Type.Object({
      at: time(),
      file: Type.String({ description: 'Name of the file.' }),
      rows: count('Rows in it.'),
      bytes: count('Size of the file.')
    }), 'The last scheduled backup; null if there is none.'),
    last_failure: Nullable(
      Type.Object({ at: time(), error: Type.String({ description: 'Why it failed.' }) }),
      'The last failure; null if none is known.'
    ),
    files: Type.Object(
      { count: count('Number of files.'), bytes: count('Size of all files.') },
      { description: 'Scheduled backups in the directory, as this process sees it.' }
    ),
    last_verified: Nullable(Type.Object({
      at: time(),
      file: Type.String({ description: 'Name of the file.' }),
      ok: Type.Boolean({ description: 'Whether it restores completely.' })
    }), 'The last outcome of litfeed backup --verify for one of these files; null if there is none.'),
    failing: Type.Boolean({ description: 'Whether the last scheduled backup failed.' })
  }), 'Scheduled backups; null if BACKUP_DIR is not set.'),
  uploads: Type.Object(
    { waiting: count('PDFs and files that wait for their job.'), bytes: count('Their size.') },
    { description: 'Uploads that are not processed yet.' }
  ),
  counts: Type.Object({
    accounts: count('Accounts.'),
    projects: count('Projects.'),
    papers: count('Papers; large numbers are estimates.'),
    feed_items: count('Feed items; large numbers are estimates.'),
    full_texts: count('Full texts; large numbers are estimates.'),
    jobs_waiting: count('Waiting jobs.'),
    jobs_running: count('Running jobs.'),
    jobs_failed: count('Failed jobs.')
  }, { description: 'Totals.' }),
  features: Type.Array(Type.Object({
    name: Type.String({ description: 'Name of the feature.' }),
    on: Type.Boolean({ description: 'Whether it is enabled.' }),
    setting: Type.String({ description: 'Setting that controls it.' }),
    detail: Nullable(Type.String(), 'Value of the setting, unless secret.')
  }), { description: 'Features controlled by settings.' })
})
export type ServiceReport = Static<typeof ServiceReport>

/** The use that one account makes of a source. Administrators do not see which projects. */
const SourceUser = Type.Object({
  email: Type.String({ description: 'Email address of the account.' }),
  projects: count('Its active projects that have the source.'),
  sole_projects: count('Those of them without any other enabled source.')
})
export type SourceUser = Static<typeof SourceUser>

/** States of a source. */
const sourceStates = ['ok', 'failing', 'pending', 'unused', 'disabled'] as const

/** The affected accounts that a source lists if the caller does not say which. */
export const firstAffected = { limit: 20, offset: 0 } as const

/** A page of the affected accounts of each source. */
export const AdministrationSourcesInput = Type.Object({
  limit: Type.Optional(Type.Integer({
    minimum: 1, maximum: maxLimit, default: firstAffected.limit, description: 'Affected accounts to list for each source.'
  })),
  offset: Type.Optional(Type.Integer({
    minimum: 0, maximum: 1_000_000_000, default: firstAffected.offset, description: 'Affected accounts of each source to skip.'
  }))
}, { additionalProperties: false })

/** A source, and who depends on it. */
export const AdministrationSource = Type.Object({
  name: Type.String({ description: 'Name in a project\'s sources.' }),
  title: Type.String({ description: 'Display name.' }),
  state: Words(sourceStates, {
    description: 'ok; failing: the last fetch of a query failed; pending: not fetched yet; unused: no project has it; disabled.'
  }),
  disabled_at: Nullable(time(), 'When it was disabled; null if it is enabled.'),
  projects: count('Active projects that have it. Disabled, they get nothing from it.'),
  users: count('Accounts of these projects.'),
  sole_projects: count('Those of the projects without any other enabled source: they get nothing at all while it is disabled.'),
  queries: count('Queries of these projects.'),
  failing: count('Queries whose last fetch failed.'),
  failing_since: Nullable(time(), 'Papers from this time on may be missing; null if no query is failing.'),
  fault: Nullable(Type.String(), 'Why the last failed fetch failed; null if no query is failing.'),
  last_success_at: Nullable(time(), 'Last successful fetch; null if there is none.'),
  affected: Type.Array(SourceUser, { description: 'A page of these accounts, those with the most projects first.' })
}, { description: 'A source of papers.' })
export type AdministrationSource = Static<typeof AdministrationSource>

/** All sources, for administrators. */
export const AdministrationSourcesResult = Type.Object({
  items: Type.Array(AdministrationSource),
  total: count('Number of sources.')
})

/** Disables or enables a source for all accounts. */
export const AdministrationSourceUpdateInput = Type.Object({
  source: Type.String({ maxLength: 64, description: 'Name of the source.' }),
  disabled: Type.Boolean({
    description: 'true: nothing is fetched from it; projects keep it in their settings. false: projects fetch what they missed.'
  })
}, { additionalProperties: false })

/** Failed jobs of one kind. */
const Failures = Type.Object({
  task: TaskName,
  title: Type.String({ description: 'Display name of the kind.' }),
  failed: count('Failed jobs.'),
  jobs: Type.Array(AdministrationJob, { description: 'The newest of them.' })
})

/** Days after its last use for which an account counts as active. */
export const activeDays = 30

/** Users, jobs, sources and storage at a glance. */
export const AdministrationOverview = Type.Object({
  users: Type.Object({
    total: count('Accounts.'),
    active: count(`Accounts that are not disabled and were used in the last ${activeDays} days.`),
    disabled: count('Disabled accounts.'),
    administrators: count('Enabled administrators.'),
    open_invitations: count('Invitation links that can create accounts.'),
    items: Type.Array(AccountsListResult.properties.items.items, { description: 'The most recently used accounts.' })
  }),
  jobs: Type.Object({
    waiting: count('Waiting jobs.'),
    running: count('Running jobs.'),
    failed: count('Failed jobs.'),
    failing_alerts: count('Alerts whose last delivery failed.'),
    failures: Type.Array(Failures, { description: 'Failed jobs by kind, most frequent first.' })
  }),
  sources: AdministrationSourcesResult.properties.items,
  storage: Type.Object({
    ...Type.Pick(ServiceReport, ['database', 'disk', 'uploads', 'backups']).properties,
    full_texts: Type.Object({
      count: count('Full texts; a large number is an estimate.'),
      bytes: count('Size of the table of full texts.')
    }, { description: 'Converted full texts.' })
  }),
  ready: ServiceReport.properties.ready
})
export type AdministrationOverview = Static<typeof AdministrationOverview>
