import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import type { Db } from '../../../db/connection.js'
import { DatabaseUnreachable } from '../../../db/errors.js'
import { compactFeedChanges, listLongFeedChanges } from '../../../db/queries/briefs.js'
import { deleteExpiredInvitations } from '../../../db/queries/invitations.js'
import { deleteExpiredPasswordResets } from '../../../db/queries/password-resets.js'
import { readDatabaseTime } from '../../../db/queries/job-claims.js'
import { deleteEndedJobs } from '../../../db/queries/jobs.js'
import { finishDeletion, listPendingDeletions } from '../../../db/queries/deletions.js'
import { deleteOldCandidates } from '../../../db/queries/candidates.js'
import { listProjectsToTally, tallyFoundPapers } from '../../../db/queries/found-tally.js'
import { notifyAccounts } from '../../../db/queries/notices.js'
import { deleteExpiredSlots } from '../../../db/queries/sources.js'
import { listPendingUndos, removeImportedItems } from '../../../db/queries/import-undo.js'
import { deleteOldImports, listImporters, removeAbandonedImports } from '../../../db/queries/library-imports.js'
import { deleteUnreadTexts } from '../../../db/queries/markdown.js'
import { deleteUnusedBriefs } from '../../../db/queries/unused-briefs.js'
import { deleteUnusedSharedPapers } from '../../../db/queries/unused-papers.js'
import { deleteAbandonedUploads } from '../../../db/queries/uploads.js'
import { forgetUnsyncedItems } from '../../../db/queries/zotero.js'
import { vacuum } from '../../../db/queries/maintenance.js'
import { deleteDiscarded, listDiscarded } from '../../../db/queries/search-index.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTally, listLongTallies } from '../../../db/queries/tally.js'
import { candidateRetentionDays, maxCandidates, maxUnlistedPapers } from '../../../schemas/candidate.js'
import { jobRetentionDays, maxKeptJobs } from '../../../schemas/job.js'
import { maxKeptImports } from '../../../schemas/library-import.js'
import { NoInput } from '../../../schemas/empty.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { noticesJob } from '../../jobs/new-jobs.js'
import { hasNews } from '../../papers/notices.js'
import { compact, endCompaction } from '../../search/compaction.js'
import { indexPending } from '../../search/indexing.js'
import { hasPapersToCheck } from '../../sources/fetching/check-notices.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { dayMs, hourMs } from '../../../schemas/durations.js'

const emptyBriefRetentionDays = 30
/** For this long, administrators see ended links in the list, and anyone who opens one is told why it does not work. */
const invitationRetentionDays = 30
/** A consumer that returns later starts again with the whole feed. */
const consumerRetentionDays = 365
/** Far longer than an upload takes. */
const uploadRetentionMs = hourMs
const foundPaperBounds = { maxUnlisted: maxUnlistedPapers, maxCandidates }
const unusedPaperRetentionDays = 30
/** Papers that one run looks at for unused ones: about a million in two days. */
const maxCheckedPapers = 20_000
/** Where the next run begins to look, by database. The first begins anywhere: where processes often restart, no paper is left out. */
const lastCheckedPapers = new WeakMap<Db, string>()

/** A step of maintenance. */
interface Step {
  name: string
  run: (context: ServiceContext) => Promise<unknown>
}

/** All steps, in their order. A step that fails does not keep the others from running. */
const steps: readonly Step[] = [
  { name: 'delete ended jobs', run: ({ db, now }) => deleteEndedJobs(db, { before: ago(now, jobRetentionDays), maxKept: maxKeptJobs }) },
  {
    name: 'delete old candidates',
    run: ({ db, now }) => deleteOldCandidates(db, { before: ago(now, candidateRetentionDays), maxPerProject: maxCandidates })
  },
  forEach('tally found papers', ({ db }) => listProjectsToTally(db, foundPaperBounds), ({ db }, projectId) =>
    tallyFoundPapers(db, projectId, foundPaperBounds)),
  {
    name: 'delete unused briefs',
    run: ({ db, now }) =>
      deleteUnusedBriefs(db, { emptyBefore: ago(now, emptyBriefRetentionDays), consumersBefore: ago(now, consumerRetentionDays) })
  },
  { name: 'delete expired slots', run: ({ db, now }) => deleteExpiredSlots(db, ago(now, 1)) },
  { name: 'delete expired password resets', run: ({ db, now }) => deleteExpiredPasswordResets(db, ago(now, 1)) },
  { name: 'delete expired invitations', run: ({ db, now }) => deleteExpiredInvitations(db, ago(now, invitationRetentionDays)) },
  { name: 'delete abandoned uploads', run: ({ db, now }) => deleteAbandonedUploads(db, new Date(now().getTime() - uploadRetentionMs)) },
  forEach('delete old imports', ({ db }) => listImporters(db, maxKeptImports), ({ db }, accountId) =>
    deleteOldImports(db, accountId, maxKeptImports)),
  { name: 'remove abandoned imports', run: ({ db, now }) => removeAbandonedImports(db, new Date(now().getTime() - uploadRetentionMs)) },
  { name: 'forget items of Zotero', run: ({ db }) => forgetUnsyncedItems(db, null) },
  forEach('finish deletions', ({ db }) => listPendingDeletions(db), ({ db }, accountId) => finishDeletion(db, accountId)),
  forEach('finish undos', ({ db }) => listPendingUndos(db), ({ db, now }, { id, account_id, project_id }) =>
    removeImportedItems(db, account_id, { id, projectId: project_id, now: now(), scoreAt: learningDueAt(now()) })),
  {
    name: 'delete unused papers',
    run: async ({ db, now }) => {
      const after = lastCheckedPapers.get(db) ?? randomUUID()
      const walk = { before: ago(now, unusedPaperRetentionDays), after, maxPapers: maxCheckedPapers }
      lastCheckedPapers.set(db, await deleteUnusedSharedPapers(db, walk))
    }
  },
  {
    name: 'delete unread full texts',
    run: async ({ db, sharedTextBytes }) => { if (sharedTextBytes !== undefined) await deleteUnreadTexts(db, sharedTextBytes) }
  },
  { name: 'remove abandoned files', run: ({ files }) => files.removeAbandoned() },
  forEach('index pending items', ({ db }) => searchStorage(db).listPendingProjects(), async ({ db }, projectId) => {
    await indexPending(searchStorage(db), projectId)
    // One merge at a time.
    await endCompaction(projectId)
  }),
  forEach('compact search indexes', ({ db }) => searchStorage(db).listIndexedProjects(), ({ db }, projectId) =>
    compact(searchStorage(db), projectId)),
  forEach('delete replaced search indexes', ({ db }) => listDiscarded(db), ({ db }, id) => deleteDiscarded(db, [id])),
  forEach('compact tallies', ({ db }) => listLongTallies(db), ({ db }, projectId) => compactTally(db, projectId)),
  forEach('compact feed changes', ({ db }) => listLongFeedChanges(db), ({ db }, { account_id, project_id }) =>
    compactFeedChanges(db, account_id, project_id)),
  { name: 'notify accounts', run: ({ db, now }) => notifyAccounts(db, { isNews: hasNews, now: now() }) },
  { name: 'enqueue the check for notices', run: enqueueNoticeCheck },
  // The only step that a read-only database accepts, and the one that gets it the space to become writable.
  { name: 'vacuum', run: ({ db }) => vacuum(db) }
]

/**
 * Removes expired rows, compacts the search index and vacuums. Failures are logged.
 * @throws DatabaseUnreachable, and the reason of the signal
 */
export const maintenance = operation({
  name: 'maintenance',
  title: 'Run maintenance',
  description:
    'Removes ended jobs, old candidates, unused briefs and papers, expired links and slots, and full texts beyond the limit, compacts ' +
    'the search index and the tallies, enqueues the check for notices, and vacuums the database.',
  input: NoInput,
  output: Type.Object({}),
  async handler (context: ServiceContext) {
    for (const { name, run } of steps) await logFailure(context, { step: name }, () => run(context))
    return {}
  }
})

/** A step that does something for each of what it lists, although it failed for others. */
function forEach<T> (
  name: string,
  list: (context: ServiceContext) => Promise<readonly T[]>,
  run: (context: ServiceContext, item: T) => Promise<unknown>
): Step {
  return {
    name,
    async run (context) {
      for (const item of await list(context)) await logFailure(context, { step: name, item }, () => run(context, item))
    }
  }
}

/** Logs that something failed, so that the next follows. @throws DatabaseUnreachable if the database is lost, not one connection alone */
async function logFailure ({ db, log, signal }: ServiceContext, fields: object, run: () => Promise<unknown>): Promise<void> {
  signal?.throwIfAborted()
  try {
    await run()
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof DatabaseUnreachable) await readDatabaseTime(db)
    log.warn({ err: error, ...fields }, 'A maintenance step failed; the next run retries.')
  }
}

async function enqueueNoticeCheck ({ db, now, queue, sources, trace }: ServiceContext): Promise<void> {
  if (await hasPapersToCheck({ db, now, sources })) await queue.enqueue(noticesJob(), { trace })
}

const ago = (now: () => Date, days: number) => new Date(now().getTime() - days * dayMs)
