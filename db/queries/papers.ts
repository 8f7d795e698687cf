import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { PaperMetadata } from '../../schemas/metadata.js'
import type { Author } from '../../schemas/paper.js'
import type { Db } from '../connection.js'
import { noticesFor } from './notices.js'
import { type ProjectIds, isSharedOrOwn, isVisibleToKey } from './ownership.js'

/** The columns of a `Paper` that are short. */
const shortColumns = [
  'paper.id', 'paper.short_id', 'paper.slug', 'paper.title', 'paper.published_date', 'paper.url', 'paper.pdf_url', 'paper.doi',
  'paper.venue_name', 'paper.reference_label', 'paper.source_name', 'paper.source_paper_id', 'paper.arxiv_id', 'paper.pmid', 'paper.pmcid',
  'paper.openalex_id', 'paper.index_url'
] as const

/** The columns of a `Paper`. */
export const paperColumns = [...shortColumns, 'paper.abstract', 'paper.authors', 'paper.metadata'] as const

/** Number of authors that lists name. */
const maxListedAuthors = 3

/** Of a paper's metadata what lists show. */
const listedMetadata = sql<Pick<PaperMetadata, 'retracted' | 'published'>>`jsonb_strip_nulls(
  jsonb_build_object('retracted', paper.metadata->'retracted', 'published', paper.metadata->'published'))`.as('metadata')
const authorCount = sql<number>`jsonb_array_length(paper.authors)`.as('author_count')

/** The columns of a paper that lists show. */
export const listedPaperColumns = [
  'paper.title',
  'paper.venue_name',
  'paper.published_date',
  listedMetadata,
  sql<string[]>`jsonb_path_query_array(paper.authors, ${sql.lit(`$[0 to ${maxListedAuthors - 1}].name`)})`.as('authors'),
  authorCount
] as const

/** How much of a large record a reader needs: its first authors, and the first characters of its abstract. */
export interface Extract { authors: number, abstract: number }

/** The columns of `Paper` for an extract, whose metadata is that of lists. */
export const extractColumns = ({ authors, abstract }: Extract) => [
  ...shortColumns,
  sql<string | null>`left(paper.abstract, ${sql.lit(abstract)})`.as('abstract'),
  sql<Author[]>`jsonb_path_query_array(paper.authors, ${sql.lit(`$[0 to ${authors - 1}]`)})`.as('authors'),
  authorCount,
  listedMetadata
] as const

/** The feedback and the marks of a feed item, without its note, which lists leave out. */
export const itemStateColumns = [
  'project_paper.vote', 'project_paper.downvote_reason', 'project_paper.voted_at', 'project_paper.seen_at', 'project_paper.saved',
  'project_paper.tags'
] as const

/** Whether a full text that the account may read is stored, as SQL over a row of `paper`. @param account an expression or a value */
export const markdownReady = (account: RawBuilder<unknown>) =>
  sql<boolean>`exists (select from markdown where markdown.paper_id = paper.id
    and (markdown.account_id is null or markdown.account_id = ${account}))`

/** A shared paper, or a private one of the account. @param projectIds the projects whose notices it has; null: all */
export const findPaper = (db: Db, accountId: string, id: string, projectIds: ProjectIds = null) =>
  db
    .selectFrom('paper')
    .select(paperColumns)
    .select('paper.updated_at')
    .select(markdownReady(sql`${accountId}::uuid`).as('markdown_ready'))
    .select(noticesFor(accountId, projectIds).as('notices'))
    .where('id', '=', id)
    .where(isSharedOrOwn(accountId))
    .executeTakeFirst()

/** A row of findPaper. */
export type PaperDetails = Omit<NonNullable<Awaited<ReturnType<typeof findPaper>>>, 'updated_at'>

/** Service-wide, for conversions: the fields that locate a paper's full text. */
export const findConversionInput = (db: Db, id: string) =>
  db.selectFrom('paper').select(['doi', 'pdf_url', 'arxiv_id', 'pmcid', 'metadata']).where('id', '=', id).executeTakeFirst()

/** Service-wide, for conversions: whether a paper was merged into another. */
export const isMergedPaper = async (db: Db, id: string): Promise<boolean> =>
  await db.selectFrom('paper_alias').select('id').where('id', '=', id).executeTakeFirst() !== undefined

/** The account's feed items of the paper, in the order of their projects. */
export const findPaperInFeeds = (db: Db, accountId: string, paperId: string, projectIds: ProjectIds = null) =>
  db.selectFrom('project_paper').innerJoin('project', 'project.id', 'project_paper.project_id')
    .select(['project_paper.project_id', 'project_paper.id as feed_item_id'])
    .where('project.account_id', '=', accountId).where('project_paper.paper_id', '=', paperId).where(isVisibleToKey(projectIds))
    .orderBy('project.created_at').orderBy('project.id').execute()

/** The account's projects whose feeds contain the paper, with names, oldest first. */
export const findFeedsOfPaper = (db: Db, accountId: string, paperId: string) =>
  db
    .selectFrom('project_paper')
    .innerJoin('project', 'project.id', 'project_paper.project_id')
    .select([
      'project.id as project_id',
      'project.name',
      'project_paper.short_id as item',
      'project_paper.id',
      ...itemStateColumns,
      'project_paper.note'
    ])
    .where('project.account_id', '=', accountId)
    .where('project_paper.paper_id', '=', paperId)
    .orderBy('project.created_at')
    .orderBy('project.id')
    .execute()

/** Whether an id is a UUID or begins with the first 8 characters of one, as an SQL condition. @param reference lower case */
export function isReferenced (id: string, reference: string): RawBuilder<SqlBool> {
  const bound = (digit: '0' | 'f') => reference + `-${digit.repeat(4)}`.repeat(3) + `-${digit.repeat(12)}`
  // The ids that begin with a short one are a range of the primary key.
  return reference.length === 8
    ? sql<SqlBool>`${sql.ref(id)} between ${bound('0')}::uuid and ${bound('f')}::uuid`
    : sql<SqlBool>`${sql.ref(id)} = ${reference}::uuid`
}

/**
 * Finds the papers in the account's feeds that a reference can mean: those whose own id, feed item's id or former id it is.
 *
 * @param reference lower case, a UUID or the first 8 characters of one
 */
export const resolveReference = (db: Db, accountId: string, reference: string, projectIds: ProjectIds = null) => {
  const isMeant = (id: string) => isReferenced(id, reference)
  return (
    db
      .selectFrom('project_paper')
      .innerJoin('project', 'project.id', 'project_paper.project_id')
      .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
      .select(['paper.id as paper_id', 'project_paper.id as item_id'])
      .select(isMeant('project_paper.id').as('is_item'))
      .where('project.account_id', '=', accountId)
      .where(isVisibleToKey(projectIds))
      // Index look-ups: an "or" over two tables would read the whole feed.
      .where('project_paper.id', 'in', ({ selectFrom }) =>
        selectFrom('project_paper as item')
          .select('item.id')
          .where(isMeant('item.id'))
          .union(
            selectFrom('project_paper as item')
              .innerJoin('paper as named', 'named.id', 'item.paper_id')
              .select('item.id')
              .where(isMeant('named.id'))
          )
          .union(
            selectFrom('project_paper as item')
              .innerJoin('paper_alias as former', 'former.paper_id', 'item.paper_id')
              .select('item.id')
              .where(isMeant('former.id'))
          )
      )
      .execute()
  )
}

/**
 * Papers that the account's feeds do not contain, but that were found for them, which a reference can mean.
 * @param reference lower case, a UUID or the first 8 characters of one @param projectIds limits it to the candidates of these projects
 */
export const resolveCandidate = (db: Db, accountId: string, reference: string, projectIds: ProjectIds = null) =>
  db.selectFrom('candidate')
    .innerJoin('project', 'project.id', 'candidate.project_id')
    .select('candidate.paper_id').distinct()
    .where('project.account_id', '=', accountId).where(isReferenced('candidate.paper_id', reference))
    .where(isVisibleToKey(projectIds))
    .execute()

/** The names of the projects of these items of the account, in the order of the items' ids. */
export const listProjectsOfItems = (db: Db, accountId: string, itemIds: readonly string[]) =>
  db.selectFrom('project_paper')
    .innerJoin('project', 'project.id', 'project_paper.project_id')
    .select(['project_paper.id', 'project.name as project'])
    .where('project.account_id', '=', accountId).where('project_paper.id', 'in', itemIds)
    .orderBy('project_paper.id')
    .execute()

/** Preprints and published forms of a paper that are in the account's feeds. */
export const findVersions = (db: Db, accountId: string, paperId: string, projectIds: ProjectIds = null) =>
  db.selectFrom('paper_relation')
    .select(sql<string>`case when preprint_id = ${paperId}::uuid then published_id else preprint_id end`.as('paper_id'))
    .select(sql<'preprint' | 'published'>`case when preprint_id = ${paperId}::uuid then 'published' else 'preprint' end`.as('form'))
    .where(({ eb, or }) => or([eb('preprint_id', '=', paperId), eb('published_id', '=', paperId)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('project_paper')
          .innerJoin('project', 'project.id', 'project_paper.project_id')
          .select('project_paper.id')
          .where('project.account_id', '=', accountId)
          .where(isVisibleToKey(projectIds))
          .where(sql<boolean>`project_paper.paper_id in (preprint_id, published_id) and project_paper.paper_id <> ${paperId}::uuid`)
      )
    )
    .execute()
