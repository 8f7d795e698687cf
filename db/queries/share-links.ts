import { type Insertable, sql } from 'kysely'
import type { Db } from '../connection.js'
import type { ShareLinkTable } from '../tables/sharing.js'
import { readInIndexOrder } from './index-order.js'
import { isOwnProject, lockProject } from './ownership.js'

const columns = ['id', 'project_id', 'title', 'tag', 'all_projects', 'created_at', 'expires_at', 'last_opened_at'] as const

/**
 * Adds a link to a project of the account.
 * @returns undefined if the project is missing or another account's, 'full' if it has `maxLinks`
 */
export const createShareLink = (db: Db, accountId: string, link: Insertable<ShareLinkTable>, maxLinks: number) =>
  db.transaction().execute(async transaction => {
    // The lock makes concurrent calls count one after another.
    if (!await lockProject(transaction, accountId, link.project_id)) return undefined
    const { count } = await transaction.selectFrom('share_link').select(({ fn }) => fn.countAll<number>().as('count'))
      .where('project_id', '=', link.project_id).executeTakeFirstOrThrow()
    if (Number(count) >= maxLinks) return 'full'
    return await transaction.insertInto('share_link').values(link).returning(columns).executeTakeFirstOrThrow()
  })

/** The links of the account's project, newest first. */
export const listShareLinks = (db: Db, accountId: string, projectId: string) =>
  db.selectFrom('share_link').select(columns).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .orderBy('created_at', 'desc').orderBy('id').execute()

/** A link as its owner sees it. */
export type ShareLinkDetails = Awaited<ReturnType<typeof listShareLinks>>[number]

/** @returns whether the account's project had the link */
export const deleteShareLink = async (db: Db, accountId: string, projectId: string, id: string): Promise<boolean> =>
  (await db.deleteFrom('share_link').where('id', '=', id).where('project_id', '=', projectId).where(isOwnProject(accountId, projectId))
    .returning('id').executeTakeFirst()) !== undefined

/** Authentication: the hash of the token is in the condition. Undefined for expired links, and for those of disabled accounts. */
export const findSharedFeed = (db: Db, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('share_link')
    .innerJoin('project', 'project.id', 'share_link.project_id')
    .innerJoin('account', 'account.id', 'project.account_id')
    .select([
      'share_link.id',
      'share_link.project_id',
      'share_link.title',
      'share_link.tag',
      'share_link.all_projects',
      'share_link.created_at',
      'share_link.last_opened_at',
      'project.account_id'
    ])
    .where('token_hash', '=', tokenHash)
    .where('account.disabled_at', 'is', null)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()

/** Items of each project that are read first; a project whose items end before the page does is read further. */
const minTaggedRead = 20
const furtherRead = 4

/**
 * Ids of the account's items with a tag, in all projects: one of each paper, newest first. Each project is read by its own index, until no
 * unread item can be on the page.
 */
export const listTagged = (
  db: Db,
  accountId: string,
  tagKey: string,
  { limit, offset }: { limit: number, offset: number }
): Promise<string[]> =>
  readInIndexOrder(db, async transaction => {
    if (limit === 0) return []
    const projects = await transaction.selectFrom('project').select('id').where('account_id', '=', accountId).execute()
    const end = offset + limit
    const size = Math.min(end, Math.max(minTaggedRead, Math.ceil(2 * end / Math.max(projects.length, 1))))
    const sizes = new Map(projects.map(({ id }) => [id, size]))
    for (;;) {
      const { ids, cut } = await readTagged(transaction, tagKey, sizes, { limit, offset })
      if (cut.length === 0) return ids
      for (const id of cut) sizes.set(id, Math.min(end, sizes.get(id)! * furtherRead))
    }
  })

/** A page of the first items of these projects. @returns also the projects of which unread items may belong on it */
async function readTagged (
  db: Db,
  tagKey: string,
  sizes: ReadonlyMap<string, number>,
  { limit, offset }: { limit: number, offset: number }
): Promise<{ ids: string[], cut: string[] }> {
  const { rows: [row] } = await sql<{ ids: string[], cut: string[] }>`
    with item as materialized (
      select part.project_id, item.id, item.paper_id, item.ready_at, item.ordinal = part.size as is_last
      from unnest(${[...sizes.keys()]}::uuid[], ${[...sizes.values()]}::integer[]) as part (project_id, size) cross join lateral (
        select project_paper.id, project_paper.paper_id, project_paper.ready_at,
          row_number() over (order by project_paper.ready_at desc, project_paper.id) as ordinal
        from project_paper
        where project_paper.project_id = part.project_id and project_paper.tags <> '{}' and project_paper.tag_keys @> array[${tagKey}]
        order by project_paper.ready_at desc, project_paper.id limit part.size
      ) as item
    ), first as materialized (
      select id, ready_at, row_number() over (order by ready_at desc, id) as ordinal from (
        select distinct on (paper_id) id, ready_at from item order by paper_id, ready_at desc, id
      ) as newest
    ), final as materialized (
      select id, ready_at from first where ordinal = ${sql.lit(offset + limit)}
    )
    select
      array(
        select id from first where ordinal > ${sql.lit(offset)} and ordinal <= ${sql.lit(offset + limit)} order by ordinal
      )::text[] as ids,
      array(
        select project_id from item where is_last and not exists (
          select from final where final.ready_at > item.ready_at or (final.ready_at = item.ready_at and final.id <= item.id))
      )::text[] as cut`.execute(db)
  return row!
}

/** Records that somebody opened a link of the account. */
export const markShareLinkOpened = (db: Db, accountId: string, projectId: string, id: string, now: Date) =>
  db.updateTable('share_link').set({ last_opened_at: now }).where('id', '=', id).where('project_id', '=', projectId)
    .where(isOwnProject(accountId, projectId)).execute()
