import type { Caller } from '../../db/caller.js'
import { refreshStatistics } from '../../db/queries/maintenance.js'
import { scheduleFirstScoring } from '../../db/queries/relevance.js'
import { searchStorage } from '../../db/queries/search-storage.js'
import { compactTally } from '../../db/queries/tally.js'
import { enqueueSummaries, type SummariesContext } from '../jobs/new-jobs.js'
import { minModelPapers } from '../relevance/learned-model.js'
import type { Log } from '../observability/log.js'
import { tryToCompact } from '../search/compaction.js'
import { indexPending } from '../search/indexing.js'

/** Services that end an import. */
export interface FinishContext extends Caller, SummariesContext { log: Log, now: () => Date }

/** Indexes what an import added to a feed, and schedules the work that follows. @param created papers that it added */
export async function finishImport (context: FinishContext, projectId: string, created: number): Promise<void> {
  const { db, account, now } = context
  const storage = searchStorage(db)
  await indexPending(storage, projectId)
  await tryToCompact(context, storage, projectId)
  await compactTally(db, projectId)
  await scheduleFirstScoring(db, account.id, projectId, { minPapers: minModelPapers, scoreAt: now() })
  await refreshStatistics(db, created)
  await enqueueSummaries(context, { id: projectId, account_id: account.id }, created)
}
