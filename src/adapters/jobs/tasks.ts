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
import type { RetryPolicy } from '../../jobs/failures.js'
import type { ClaimedJob } from '../../jobs/queue.js'
import type { Task as TaskName } from '../../../schemas/job.js'
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
   * Runs the operation. It must be idempotent, because an earlier attempt may have started it.
   *
   * @param context with the job's log, trace and signal: the signal aborts at the deadline and at shutdown
   * @returns the job's result
   */
  run (context: JobContext, job: ClaimedJob): Promise<object>
}

export interface JobContext extends ServiceContext { signal: AbortSignal }

interface OperationTask extends Task {
  /** Validates the job's data and does the work. */
  operation: AnyOperation
}

/** Every kind of background work. */
export const tasks: readonly OperationTask[] = [
  {
    task: 'fetch-project',
    operation: projectFetch,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 60,
    concurrency: 3,
    async run (context, { project_id, account_id }) {
      const { sources } = await projectFetch.run({ ...context, account: { id: account_id! } }, { project_id })
      return { sources }
    }
  },
  {
    task: 'add-paper',
    operation: paperLookup,
    deadlineSeconds: 2 * 60,
    retries: 3,
    retryDelaySeconds: 10,
    concurrency: 3,
    run: (context, { project_id, account_id, identifier }) =>
      paperLookup.run({ ...context, account: { id: account_id! } }, { project_id, identifier: identifier ?? '' })
  },
  {
    task: 'import-library',
    operation: libraryImportRun,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 10,
    concurrency: 2,
    accountConcurrency: 1,
    run: (context, { import_id, account_id }) => libraryImportRun.run({ ...context, account: { id: account_id! } }, { import_id })
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
    run: (context, { project_id, account_id }) => projectScore.run({ ...context, account: { id: account_id! } }, { project_id })
  },
  {
    task: 'write-summaries',
    operation: summariesWrite,
    deadlineSeconds: 30 * 60,
    retries: 3,
    retryDelaySeconds: 5 * 60,
    concurrency: 1,
    run: (context, { project_id, account_id }) => summariesWrite.run({ ...context, account: { id: account_id! } }, { project_id })
  },
  {
    task: 'convert-markdown',
    operation: paperConvert,
    deadlineSeconds: 5 * 60,
    retries: 4,
    retryDelaySeconds: 60,
    // Mostly waits for other hosts; documents themselves are converted one at a time.
    concurrency: 6,
    // An account's jobs convert its uploads, which are large; other conversions belong to no account.
    accountConcurrency: 1,
    run: (context, { paper_id, account_id }) => paperConvert.run(context, { paper_id, uploaded_by: account_id })
  },
  {
    task: 'send-alert',
    operation: alertSend,
    deadlineSeconds: 2 * 60,
    retries: 5,
    retryDelaySeconds: 60,
    concurrency: 3,
    run: (context, { alert_id }) => alertSend.run(context, { alert_id })
  },
  {
    task: 'send-password-reset',
    operation: passwordResetSend,
    deadlineSeconds: 60,
    retries: 3,
    retryDelaySeconds: 20,
    concurrency: 2,
    run: (context, { account_id }) => passwordResetSend.run(context, { account_id })
  },
  {
    task: 'back-up',
    operation: backupScheduled,
    deadlineSeconds: 2 * 60 * 60,
    retries: 2,
    retryDelaySeconds: 60,
    concurrency: 1,
    isPossible: ({ installation: { backups } }) => backups !== undefined,
    run: context => backupScheduled.run(context, {})
  },
  {
    task: 'sync-zotero',
    operation: zoteroSync,
    deadlineSeconds: 15 * 60,
    retries: 3,
    retryDelaySeconds: 60,
    concurrency: 2,
    accountConcurrency: 1,
    run: (context, { project_id, account_id }) => zoteroSync.run({ ...context, account: { id: account_id! } }, { project_id })
  },
  {
    task: 'check-notices',
    operation: noticesCheck,
    deadlineSeconds: 60 * 60,
    retries: 3,
    retryDelaySeconds: 10 * 60,
    concurrency: 1,
    run: context => noticesCheck.run(context, {})
  },
  {
    task: 'freeze-snapshot',
    operation: snapshotFreeze,
    deadlineSeconds: 30 * 60,
    retries: 3,
    retryDelaySeconds: 30,
    concurrency: 2,
    accountConcurrency: 1,
    run: (context, { project_id, account_id }) => snapshotFreeze.run({ ...context, account: { id: account_id! } }, { project_id })
  }
]
