import { countNotIncluded, listNotIncluded } from '../../../db/queries/candidates.js'
import { findWeeklyLimit } from '../../../db/queries/projects.js'
import { CandidatesListInput, CandidatesListResult } from '../../../schemas/candidate.js'
import { defaultLimit } from '../../../schemas/paging.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { paperChanges, withNotices } from '../../papers/notices.js'
import { operation } from '../operation.js'
import { readPage, requireOffset } from '../read-page.js'

/** Larger numbers are not counted, and no page begins after them. */
const maxCounted = 10_000

/** @throws ProjectNotFound, InvalidArguments */
export const candidatesList = operation({
  name: 'candidates_list',
  title: 'List papers that a feed does not include',
  description: 'Returns the fetched papers that a feed does not include: below its threshold, or beyond its weekly limit.',
  input: CandidatesListInput,
  output: CandidatesListResult,
  scope: 'read',
  async handler ({ db, account, key }, { project_id, limit = defaultLimit, offset = 0 }) {
    const weekly_limit = await findWeeklyLimit(db, account.id, project_id)
    if (weekly_limit === undefined) throw new ProjectNotFound(project_id)
    requireOffset(offset, maxCounted, 'papers')
    const [{ rows, page }, total] = await Promise.all([
      readPage({ limit, offset }, async page =>
        await listNotIncluded(db, account.id, project_id, { ...page, visibleProjectIds: key?.projectIds })),
      countNotIncluded(db, account.id, project_id, maxCounted)
    ])
    return {
      items: rows.map(({ paper_id, index_url, found_at, metadata, notices, ...row }) => ({
        ...row,
        candidate_id: paper_id,
        published: metadata.published ?? null,
        url: row.url ?? index_url,
        found_at: found_at.toISOString(),
        changes: paperChanges(withNotices(metadata, notices))
      })),
      weekly_limit,
      total,
      ...page
    }
  }
})
