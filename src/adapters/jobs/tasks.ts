import { backupScheduled } from '../../operations/administration/backup-scheduled.js'
import { alertSend } from '../../operations/alerts/alert-send.js'
import { passwordResetSend } from '../../operations/accounts/password-reset-send.js'
import type { ServiceContext } from '../../operations/context.js'
import type { AnyOperation } from '../../operations/operation.js'
import { libraryImportRun } from '../../operations/papers/library-import-run.js'
import { noticesCheck } from '../../operations/papers/notices-check.js'
import { paperConvert } from '../../operations/papers/paper-convert.js'
import { paperLookup } from '../../operations/papers/paper-lookup.js'
import { summariesWrite } from '../../operations/papers/summaries-write.js'
import { projectFetch } from '../../operations/projects/project-fetch.js'
import { projectScore } from '../../operations/projects/project-score.js'
import { snapshotFreeze } from '../../operations/snapshots/snapshot-freeze.js'
import { PermanentFailure, type RetryPolicy } from '../../jobs/failures.js'
import type { ClaimedJob } from '../../jobs/queue.js'
import type { TaskName } from '../../../schemas/job.js'
import { zoteroSync } from '../../operations/zotero/zotero-sync.js'

/** A kind of background work: its operation, retry policy and limits. */
export interface Task extends RetryPolicy {
  task: TaskName
  /** Seconds that one attempt may take. */
  deadlineSeconds: number
  /** Concurrent jobs of one process. If it is more than one, the jobs of one account leave one slot free. */
  concurrency: number
  /** Jobs of one account that one process runs at the same time. Default: all slots but one. */
  accountConcurrency?: number
  /** Whether this process can do it. Default: every process can. */
  isPossible?: (context: ServiceContext) => boolean
  /**
   * Does the work.
   *
   * @param context with the job's log, trace and signal: the signal aborts at the deadline and at shutdown
   * @returns the job's result
   */
  run (context: ServiceContext & { signal: AbortSignal }, job: ClaimedJob): Promise<object>
}

interface OperationTask extends Omit<Task, 'run'> {
  /** Validates the job's data and does the work. It must be idempotent, because an earlier attempt may have started it. */
  operation: AnyOperation
  /** Whether it runs as the account that the job belongs to. Other work belongs to none, or finds it by itself. */
  asAccount?: true
  /** The operation's input. */
  input: (job: ClaimedJob) => object
  /** The part of the operation's result that the job keeps. Default: all of it. */
  result?: (result: any) => object
}

const rows: readonly OperationTask[] = [
  {
    task: 'fetch-project',
    operation: projectFetch,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 60,
    concurrency: 3,
    asAccount: true,
    input: ({ project_id }) => ({ project_id }),
    result: ({ sources }) => ({ sources })
  },
  {
    task: 'add-paper',
    operation: paperLookup,
    deadlineSeconds: 2 * 60,
    retries: 3,
    retryDelaySeconds: 10,
    concurrency: 3,
    asAccount: true,
    input: ({ project_id, identifier, visible_projects }) => ({ project_id, identifier, visible_projects })
  },
  {
    task: 'import-library',
    operation: libraryImportRun,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 10,
    concurrency: 2,
    accountConcurrency: 1,
    asAccount: true,
    input: ({ import_id }) => ({ import_id })
  },
  {
    task: 'score-project',
    operation: projectScore,
    deadlineSeconds: 15 * 60,
    retries: 3,
    retryDelaySeconds: 30,
    // The feeds of other accounts do not wait for a large one.
    concurrency: 3,
    accountConcurrency: 1,
    asAccount: true,
    input: ({ project_id }) => ({ project_id })
  },
  {
    task: 'write-summaries',
    operation: summariesWrite,
    deadlineSeconds: 30 * 60,
    retries: 3,
    retryDelaySeconds: 5 * 60,
    concurrency: 1,
    asAccount: true,
    input: ({ project_id }) => ({ project_id })
  },
  {
    task: 'convert-markdown',
    operation: paperConvert,
    deadlineSeconds: 5 * 60,
    retries: 4,
    retryDelaySeconds: 60,
    // Mostly waits for other hosts; documents themselves are converted one at a time.
    concurrency: 6,
    // One is fetched while the other is converted. More documents that take long could exceed the deadline of those of other accounts.
    accountConcurrency: 2,
    input: ({ paper_id, account_id }) => ({ paper_id, uploaded_by: account_id })
  },
  {
    task: 'send-alert',
    operation: alertSend,
    deadlineSeconds: 2 * 60,
    retries: 5,
    retryDelaySeconds: 60,
    concurrency: 3,
    input: ({ alert_id }) => ({ alert_id })
  },
  {
    task: 'send-password-reset',
    operation: passwordResetSend,
    deadlineSeconds: 60,
    retries: 3,
    retryDelaySeconds: 20,
    concurrency: 2,
    input: ({ account_id }) => ({ account_id })
  },
  {
    task: 'back-up',
    operation: backupScheduled,
    deadlineSeconds: 2 * 60 * 60,
    retries: 2,
    retryDelaySeconds: 60,
    concurrency: 1,
    isPossible: ({ installation: { backups } }) => backups !== undefined,
    input: () => ({})
  },
  {
    task: 'sync-zotero',
    operation: zoteroSync,
    deadlineSeconds: 15 * 60,
    retries: 3,
    retryDelaySeconds: 60,
    concurrency: 2,
    accountConcurrency: 1,
    asAccount: true,
    input: ({ project_id }) => ({ project_id })
  },
  {
    task: 'check-notices',
    operation: noticesCheck,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 10 * 60,
    concurrency: 1,
    input: () => ({})
  },
  {
    task: 'freeze-snapshot',
    operation: snapshotFreeze,
    deadlineSeconds: 30 * 60,
    retries: 3,
    retryDelaySeconds: 30,
    concurrency: 2,
    accountConcurrency: 1,
    asAccount: true,
    input: ({ project_id }) => ({ project_id })
  }
]

/** Every kind of background work. */
export const tasks: ReadonlyArray<Task & Pick<OperationTask, 'operation'>> = rows.map(({ asAccount, input, result, ...row }) => ({
  ...row,
  async run (context, job) {
    if (asAccount && job.account_id === null) throw new PermanentFailure('The job belongs to no account.')
    const caller = asAccount ? { ...context, account: { id: job.account_id } } : context
    const done = await row.operation.run(caller, input(job)) as object
    return result === undefined ? done : result(done)
  }
}))
