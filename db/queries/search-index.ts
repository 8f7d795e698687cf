import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { indexed } from '../../src/search/document.js'
import { makeSegment } from '../../src/search/segment-writer.js'
import { lockIndex, saveSegment } from './search-blocks.js'
import { foldSegments } from './search-upkeep.js'

/** Items of one transaction: the embedded database is nobody else's meanwhile. */
const itemsAtOnce = 500
/** Segments up to this many documents are folded as part of other work; that of larger ones waits for upkeep. */
const smallFold = 4000

/**
 * Takes everything into the search that was committed before the call. Several processes may do so at once: for each project, one
 * works and the others wait. @returns how many items were taken in
 */
export async function takeIn (db: Db, projectId: string): Promise<number> {
  let taken = 0
  for (;;) {
    const items = await db.transaction().execute(transaction => takeSome(transaction, projectId))
    taken += items
    if (items > 0) await foldSegments(db, projectId, { mostDocuments: smallFold, thorough: false })
    if (items < itemsAtOnce) return taken
  }
}

/** The same for every project. */
export async function takeInAll (db: Db): Promise<void> {
  const { rows } = await sql<{ project_id: string }>`select distinct project_id from search_pending`.execute(db)
  for (const { project_id } of rows) {
    await takeIn(db, project_id)
    await foldSegments(db, project_id)
  }
}

async function takeSome (transaction: Db, projectId: string): Promise<number> {
  await lockIndex(transaction, projectId)
  const pending = await transaction.selectFrom('search_pending').select(['id', 'item_id']).where('project_id', '=', projectId).orderBy('id').limit(itemsAtOnce).execute()
  if (pending.length === 0) return 0
  // A project that is being deleted takes nothing in.
  const project = await transaction.selectFrom('project').select('id').where('id', '=', projectId).forKeyShare().executeTakeFirst()
  const itemIds = [...new Set(pending.map(({ item_id }) => item_id))]
  const changing = await listChanging(transaction, projectId, itemIds)
  await forget(transaction, projectId, itemIds)
  if (project !== undefined) await add(transaction, projectId, itemIds)
  const settled = pending.filter(({ item_id }) => !changing.has(item_id))
  await transaction.deleteFrom('search_pending').where('project_id', '=', projectId).where('id', '=', sql<number>`any(${settled.map(({ id }) => id)}::bigint[])`).execute()
  return settled.length
}

/**
 * Items whose paper somebody is changing who may not see them yet, and so will not note them: they are taken in as they are, and once
 * more. Papers of the others stay as they are until this transaction ends; nobody is waited for, so that no two can wait for each other.
 */
async function listChanging (transaction: Db, projectId: string, itemIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    with item as (
      select id, paper_id from project_paper where project_id = ${projectId} and id = any(${itemIds}::uuid[])
    ), still as (
      select id from paper where id in (select paper_id from item) for share skip locked
    )
    select id from item where paper_id not in (select id from still)`.execute(transaction)
  return new Set(rows.map(({ id }) => id))
}

/** What the items were found by before leads nowhere any more. */
const forget = (transaction: Db, projectId: string, itemIds: readonly string[]) => sql`
  with forgotten as (
    delete from search_document where project_id = ${projectId} and item_id = any(${itemIds}::uuid[]) returning number
  )
  insert into search_gone (project_id, number) select ${projectId}, number from forgotten`.execute(transaction)

async function add (transaction: Db, projectId: string, itemIds: readonly string[]): Promise<void> {
  const items = await transaction.selectFrom('project_paper').innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select(['project_paper.id', 'project_paper.ready_at', 'project_paper.summary', 'paper.title', 'paper.abstract', 'paper.authors'])
    .select(['paper.doi', 'paper.arxiv_id', 'paper.pmid', 'paper.pmcid', 'paper.openalex_id'])
    .where('project_paper.project_id', '=', projectId).where('project_paper.id', '=', sql<string>`any(${itemIds}::uuid[])`).execute()
  if (items.length === 0) return
  const { rows: numbered } = await sql<{ item_id: string, number: number }>`
    insert into search_document (project_id, item_id, number)
    select ${projectId}, item_id, nextval('search_number') from unnest(${items.map(({ id }) => id)}::uuid[]) as item_id
    returning item_id, number`.execute(transaction)
  const numbers = new Map(numbered.map(({ item_id, number }) => [item_id, number]))
  const documents = items.map(({ id, ready_at, doi, arxiv_id, pmid, pmcid, openalex_id, ...texts }) => ({
    number: numbers.get(id)!,
    id,
    readyAt: ready_at,
    ...indexed({ ...texts, identifiers: [doi, arxiv_id, pmid, pmcid, openalex_id] })
  }))
  await saveSegment(transaction, projectId, makeSegment(documents.sort((one, other) => one.number - other.number)))
}
