import type { Db } from '../connection.js'
import { selectItems } from './feed.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'
import { identifierColumns } from './papers.js'

/** An identifier as papers store it: the preferred value first, then those of the work's other versions. */
interface Identifier { kind: keyof typeof identifierColumns, values: readonly string[] }

/** The item of the account's project whose paper has the identifier. */
export const findItemByIdentifier = (db: Db, accountId: string, projectId: string, { kind, values }: Identifier) =>
  selectItems(db, accountId)
    .where('project_paper.project_id', '=', projectId)
    .where(identifierColumns[kind], 'in', values)
    .orderBy(({ eb }) => eb(identifierColumns[kind], '=', values[0]!), 'desc')
    .orderBy('project_paper.ready_at')
    .orderBy('project_paper.id')
    .limit(1)
    .executeTakeFirst()

/** The items of the account's feeds whose papers have the identifier; those with its own value first. @param projectIds the feeds */
export const listItemsByIdentifier = (db: Db, accountId: string, { kind, values }: Identifier, projectIds: ProjectIds = null) =>
  db.selectFrom('project_paper')
    .innerJoin('project', 'project.id', 'project_paper.project_id')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'project_paper.paper_id'])
    .where('project.account_id', '=', accountId).where(identifierColumns[kind], 'in', values)
    .where(isVisibleToKey(projectIds))
    .orderBy(({ eb }) => eb(identifierColumns[kind], '=', values[0]!), 'desc')
    .orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id')
    .execute()

/** The paper that has the identifier: the account's own, if a project that the key can see has it, else a shared one. */
export const findPaperByIdentifier = (db: Db, accountId: string, { kind, values }: Identifier, projectIds: ProjectIds = null) =>
  db.selectFrom('paper').select(['paper.id', 'paper.title', 'paper.abstract']).where(identifierColumns[kind], 'in', values)
    .where(({ eb, or, and, exists, selectFrom }) => or([
      eb('paper.account_id', 'is', null),
      and([
        eb('paper.account_id', '=', accountId),
        exists(selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
          .whereRef('project_paper.paper_id', '=', 'paper.id')
          .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds)))
      ])
    ]))
    .orderBy('paper.account_id').orderBy(({ eb }) => eb(identifierColumns[kind], '=', values[0]!), 'desc')
    .orderBy('paper.created_at').orderBy('paper.id').limit(1).executeTakeFirst()
