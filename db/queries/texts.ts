import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { readInIndexOrder } from './index-order.js'
import { type ProjectIds, isOwnProject, isVisibleToKey } from './ownership.js'

/** The texts of a feed's newest papers, newest first. */
export const listNewestTexts = (db: Db, accountId: string, projectId: string, limit: number) =>
  readInIndexOrder(db, transaction => transaction
    .selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['paper.id as paper_id', 'paper.title', 'paper.abstract'])
    .where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id').limit(limit).execute())

/** Characters of an abstract in a sample: ordinary ones have less than half. */
const maxSampledAbstract = 4000

/** A sample of the texts in an account's feeds, the first part of very long ones. @param projectIds limits it to these feeds */
export const sampleTexts = (db: Db, accountId: string, limit: number, projectIds: ProjectIds = null) =>
  db
    .selectFrom('project_paper')
    .innerJoin('project', 'project.id', 'project_paper.project_id')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['paper.title', sql<string | null>`left(paper.abstract, ${maxSampledAbstract})`.as('abstract')])
    .where('project.account_id', '=', accountId)
    .where(isVisibleToKey(projectIds))
    .limit(limit)
    .execute()
