import { type SqlBool, sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyAlikePaper, type SoughtValues, type SourceId } from './alike-papers.js'
import { selectItems } from './feed.js'
import { type ProjectIds, isVisibleToKey } from './ownership.js'

/** Columns of identifiers in outside indexes. */
const identifierColumns = { doi: 'doi', arxiv: 'arxiv_id', pmid: 'pmid', pmcid: 'pmcid', openalex: 'openalex_id' } as const

/** The forms in which papers store an identifier: the preferred value first, then those of the work's other versions. */
export type IdentifierForms = ReadonlyArray<{ kind: keyof typeof identifierColumns, values: readonly string[] }>

/** Whether a paper is one of those that have one of the values, as an SQL condition. */
const hasIdentifier = (accountId: string, forms: IdentifierForms) => {
  const sought: SoughtValues = Object.fromEntries(forms.map(({ kind, values }) => [identifierColumns[kind], values]))
  return sql<SqlBool>`paper.id = ${anyAlikePaper(accountId, sought)}`
}

/** The item of the account's project whose paper has an id of a source. */
export const findItemBySourceId = (db: Db, accountId: string, projectId: string, sourceId: SourceId) =>
  selectItems(db, accountId)
    .where('project_paper.project_id', '=', projectId)
    .where(sql<SqlBool>`paper.id = ${anyAlikePaper(accountId, { sourceIds: [sourceId] })}`)
    .orderBy('project_paper.ready_at')
    .orderBy('project_paper.id')
    .limit(1)
    .executeTakeFirst()

/** Whether it has the preferred one. */
const hasPreferred = ([form]: IdentifierForms) =>
  sql<boolean>`(${sql.ref(`paper.${identifierColumns[form!.kind]}`)} is not distinct from ${form!.values[0]})`

/** Items of papers with one identifier, in all projects of an account. */
const maxIdentifiedItems = 1000

/** The item of the account's project whose paper has the identifier. */
export const findItemByIdentifier = (
  db: Db,
  accountId: string,
  projectId: string,
  forms: IdentifierForms,
  visibleProjectIds: ProjectIds = null
) =>
  selectItems(db, accountId, { visibleProjectIds })
    .where('project_paper.project_id', '=', projectId)
    .where(hasIdentifier(accountId, forms))
    .orderBy(hasPreferred(forms), 'desc')
    .orderBy('project_paper.ready_at')
    .orderBy('project_paper.id')
    .limit(1)
    .executeTakeFirst()

/**
 * The items of the account's feeds whose papers have the identifier; those with its preferred value first.
 * @param projectIds limits it to these feeds
 */
export const listItemsByIdentifier = (db: Db, accountId: string, forms: IdentifierForms, projectIds: ProjectIds = null) =>
  db.selectFrom('project_paper')
    .innerJoin('project', 'project.id', 'project_paper.project_id')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'project_paper.paper_id', hasPreferred(forms).as('is_preferred')])
    .where('project.account_id', '=', accountId).where(hasIdentifier(accountId, forms))
    .where(isVisibleToKey(projectIds))
    .orderBy('is_preferred', 'desc').orderBy('project_paper.ready_at', 'desc').orderBy('project_paper.id')
    .limit(maxIdentifiedItems).execute()

/** The paper that has the identifier: the account's own, if a project that the key can see has it, else a shared one. */
export const findPaperByIdentifier = (db: Db, accountId: string, forms: IdentifierForms, projectIds: ProjectIds = null) =>
  db.selectFrom('paper').select(['paper.id', 'paper.title', 'paper.abstract']).where(hasIdentifier(accountId, forms))
    .where(({ eb, or, and, exists, selectFrom }) => or([
      eb('paper.account_id', 'is', null),
      and([
        eb('paper.account_id', '=', accountId),
        exists(selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id').select('project_paper.id')
          .whereRef('project_paper.paper_id', '=', 'paper.id')
          .where('project.account_id', '=', accountId).where(isVisibleToKey(projectIds)))
      ])
    ]))
    .orderBy('paper.account_id').orderBy(hasPreferred(forms), 'desc')
    .orderBy('paper.created_at').orderBy('paper.id').limit(1).executeTakeFirst()
