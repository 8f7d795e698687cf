import { Type } from 'typebox'
import { compactFeedChanges, deleteUnusedBriefs } from '../../../db/queries/briefs.js'
import { deleteExpiredInvitations } from '../../../db/queries/invitations.js'
import { deleteExpiredPasswordResets } from '../../../db/queries/password-resets.js'
import { deleteEndedJobs } from '../../../db/queries/jobs.js'
import { finishDeletion, listPendingDeletions } from '../../../db/queries/deletions.js'
import { deleteOldCandidates } from '../../../db/queries/candidates.js'
import { notifyAccounts } from '../../../db/queries/notices.js'
import { deleteExpiredSlots } from '../../../db/queries/sources.js'
import { listPendingUndos, removeImportedItems } from '../../../db/queries/import-undo.js'
import { removeAbandonedImports } from '../../../db/queries/library-imports.js'
import { deleteAbandonedUploads } from '../../../db/queries/uploads.js'
import { vacuum } from '../../../db/queries/maintenance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTallies } from '../../../db/queries/tally.js'
import { candidateRetentionDays } from '../../../schemas/candidate.js'
import { jobRetentionDays } from '../../../schemas/job.js'
import { NoInput } from '../../../schemas/project.js'
import { learningDueAt } from '../../relevance/learned-model.js'
import { noticesJob } from '../../jobs/new-jobs.js'
import { unconfirmedNotices } from '../../papers/source-traits.js'
import { compactAll } from '../../search/compaction.js'
import { indexAllPending } from '../../search/indexing.js'
import { hasPapersToCheck } from '../../sources/fetching/check-notices.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { dayMs } from '../../../schemas/durations.js'

const emptyBriefRetentionDays = 30
/** Administrators see which links ended, and people who open one are told why. */
const invitationRetentionDays = 30
/** A consumer that returns later starts again with the whole feed. */
const consumerRetentionDays = 365
/** Far longer than an upload takes. */
const uploadRetentionDays = 1 / 24

/** Removes expired rows, compacts the search index and vacuums. */
export const maintenance = operation({
  name: 'maintenance',
  title: 'Run maintenance',
  description:
    'Removes ended jobs, old candidates, unused briefs, expired links and slots, compacts the search index and the tallies, enqueues ' +
    'the check for notices, and vacuums the database.',
  input: NoInput,
  output: Type.Object({}),
  async handler ({ db, files, now, queue, sources, trace }: ServiceContext) {
    const ago = (days: number) => new Date(now().getTime() - days * dayMs)
    await deleteEndedJobs(db, ago(jobRetentionDays))
    await deleteOldCandidates(db, ago(candidateRetentionDays))
    await deleteUnusedBriefs(db, { emptyBefore: ago(emptyBriefRetentionDays), consumersBefore: ago(consumerRetentionDays) })
    await deleteExpiredSlots(db, ago(1))
    await deleteExpiredPasswordResets(db, ago(1))
    await deleteExpiredInvitations(db, ago(invitationRetentionDays))
    await deleteAbandonedUploads(db, ago(uploadRetentionDays))
    await removeAbandonedImports(db, ago(uploadRetentionDays))
    for (const accountId of await listPendingDeletions(db)) await finishDeletion(db, accountId)
    for (const { id, account_id, project_id } of await listPendingUndos(db)) {
      await removeImportedItems(db, account_id, { id, projectId: project_id, now: now(), scoreAt: learningDueAt(now()) })
    }
    await files.removeAbandoned()
    await indexAllPending(searchStorage(db))
    await compactAll(searchStorage(db))
    await compactTallies(db)
    await compactFeedChanges(db)
    await notifyAccounts(db, { unconfirmed: unconfirmedNotices(), now: now() })
    if (await hasPapersToCheck({ db, now, sources })) await queue.enqueue(noticesJob(), { trace })
    await vacuum(db)
    return {}
  }
})
