import { Type } from 'typebox'
import { deleteEndedJobs } from '../../../db/queries/jobs.js'
import { deleteOldCandidates } from '../../../db/queries/relevance.js'
import { deleteExpiredSlots } from '../../../db/queries/sources.js'
import { vacuum } from '../../../db/queries/maintenance.js'
import { searchStorage } from '../../../db/queries/search-storage.js'
import { compactTallies } from '../../../db/queries/tally.js'
import { NoInput } from '../../../schemas/project.js'
import { compactAll } from '../../search/compaction.js'
import { indexAllPending } from '../../search/indexing.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'

const day = 24 * 60 * 60 * 1000
/** Failed jobs are read by people, who have weekends and holidays. */
const jobDays = 30
const candidateDays = 90

/** Removes what nobody needs any more. */
export const maintenance = operation({
  name: 'maintenance',
  title: 'Tidy up',
  description: 'Removes ended jobs, old candidates and turns long over, tidies the search\'s index, and gives space back.',
  input: NoInput,
  output: Type.Object({}),
  async handler ({ db, now }: ServiceContext) {
    const ago = (days: number) => new Date(now().getTime() - days * day)
    await deleteEndedJobs(db, ago(jobDays))
    await deleteOldCandidates(db, ago(candidateDays))
    await deleteExpiredSlots(db, ago(1))
    await indexAllPending(searchStorage(db))
    await compactAll(searchStorage(db))
    await compactTallies(db)
    await vacuum(db)
    return {}
  }
})
