import type { NewJob } from '../../db/queries/jobs.js'
import type { ProjectIds } from '../../db/queries/ownership.js'
import type { Trace } from '../observability/trace.js'
import { type NamedPaper, formatIdentifier } from '../papers/pasted-identifier.js'
import type { JobQueue } from './queue.js'

/* The jobs that the service enqueues: what each works on, and its key. One job of a task and key is unfinished at a time. */

interface Project { id: string, account_id: string }

/** Fetches from a project's sources. */
export const fetchJob = ({ id, account_id }: Project): NewJob => ({ task: 'fetch-project', once_key: id, project_id: id, account_id })

/**
 * Looks up a paper for a project.
 * @param identifier in its stored form, or the address of a page that states it @param visibleProjects those of the call's key
 */
export const addPaperJob = ({ id, account_id }: Project, identifier: NamedPaper, visibleProjects: ProjectIds = null): NewJob => {
  const written = formatIdentifier(identifier)
  const once_key = `${id} ${written}`
  return { task: 'add-paper', once_key, project_id: id, account_id, identifier: written, visible_projects: visibleProjects }
}

/** Imports a file into a project. */
export const importJob = ({ id, project_id, account_id }: { id: string, project_id: string, account_id: string }): NewJob =>
  ({ task: 'import-library', once_key: id, import_id: id, project_id, account_id })

/** Rescores a project's feed. */
export const scoreJob = ({ id, account_id }: Project): NewJob => ({ task: 'score-project', once_key: id, project_id: id, account_id })

/** Writes summaries for a project's feed. */
export const summariesJob = ({ id, account_id }: Project): NewJob => ({ task: 'write-summaries', once_key: id, project_id: id, account_id })

/** Waiting conversions, and waiting look-ups of papers, that an account may have. */
export const [maxWaitingConversions, maxWaitingLookups] = [50, 50]

/** Converts a paper's full text, once for all accounts. @param requestedBy the account whose turn it takes */
export const convertJob = (paperId: string, requestedBy: string | null = null): NewJob => ({
  task: 'convert-markdown',
  once_key: paperId,
  paper_id: paperId,
  account_id: null,
  requested_by: requestedBy
})

/** Converts an account's uploaded PDF. Each upload has a job of its own, even while an earlier one is unfinished. */
export const convertUploadJob = ({ id, paper_id, account_id }: { id: string, paper_id: string, account_id: string }): NewJob =>
  ({ task: 'convert-markdown', once_key: `${paper_id} ${account_id} ${id}`, paper_id, account_id })

/** Sends an alert. */
export const alertJob = ({ id, project_id, account_id }: { id: string, project_id: string, account_id: string }): NewJob =>
  ({ task: 'send-alert', once_key: id, alert_id: id, project_id, account_id })

/** Writes a scheduled backup, once for all processes. */
export const backupJob = (): NewJob => ({ task: 'back-up', once_key: 'scheduled', account_id: null })

/** Mails an account a link that sets a new password. */
export const passwordResetJob = (accountId: string): NewJob =>
  ({ task: 'send-password-reset', once_key: accountId, account_id: accountId })

/** Syncs a project with Zotero. */
export const zoteroJob = ({ id, account_id }: Project): NewJob => ({ task: 'sync-zotero', once_key: id, project_id: id, account_id })

/** Asks sources what became of papers, once for all accounts: the job names neither papers nor accounts. */
export const noticesJob = (): NewJob => ({ task: 'check-notices', once_key: 'all', account_id: null })

/** Freezes the requested snapshots of a project. */
export const snapshotJob = ({ id, account_id }: Project): NewJob => ({ task: 'freeze-snapshot', once_key: id, project_id: id, account_id })

/** Services that enqueue summaries. */
export interface SummariesContext { queue: JobQueue, summaries: object | undefined, trace?: Trace | undefined }

/** Enqueues written summaries for new feed items, where a model is configured. */
export async function enqueueSummaries ({ queue, summaries, trace }: SummariesContext, project: Project, newItems: number): Promise<void> {
  if (summaries !== undefined && newItems > 0) await queue.enqueue(summariesJob(project), { trace })
}
