import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { anyUuid } from './any-of.js'
import { listLiveIds, lockOwned } from './search-index.js'

/** The most changes, and plain characters that take as long as their items. */
interface PendingLimit { changes: number, characters: number }

/**
 * The next changes of a project, and the changed items, with new numbers. Whatever changes afterwards is noted as another change, so they
 * can be indexed without a transaction that keeps others from writing.
 */
export const readPending = (db: Db, projectId: string, limit: PendingLimit) => db.transaction().execute(async transaction => {
  // Before numbers are taken: a segment that is stored later, but has higher numbers, is not among these.
  const segmentIds = await listLiveIds(transaction, projectId)
  const waiting = await transaction
    .selectFrom('search_pending')
    .select(['id', 'item_id as itemId'])
    .where('project_id', '=', projectId)
    .orderBy('id')
    .limit(limit.changes)
    .execute()
  if (waiting.length === 0) return { changes: [], hasMore: false, documents: [], formerNumbers: [], uncommittedItemIds: [], segmentIds }
  const changes = waiting.slice(0, await countWithin(transaction, waiting, limit.characters))
  const hasMore = waiting.length === limit.changes || changes.length < waiting.length
  const itemIds = [...new Set(changes.map(({ itemId }) => itemId))]
  const uncommittedItemIds = await listUncommitted(transaction, projectId, itemIds)
  const isOwned = await lockOwned(transaction, projectId)
  const found = isOwned ? await readDocuments(transaction, projectId, itemIds) : []
  const formerNumbers = isOwned ? await listFormerNumbers(transaction, projectId, itemIds) : []
  const { rows: numbers } = await sql<{ number: number }>`
    select nextval('search_number')::integer as number from generate_series(1, ${found.length}::integer)`.execute(transaction)
  const documents = found.map((document, at) => ({ ...document, number: numbers[at]!.number }))
  return { changes, hasMore, documents, formerNumbers, uncommittedItemIds, segmentIds }
})

/** The numbers by which the index has these items. */
const listFormerNumbers = async (transaction: Db, projectId: string, itemIds: readonly string[]): Promise<number[]> =>
  (await transaction.selectFrom('search_document').select('number').where('project_id', '=', projectId)
    .where('item_id', '=', anyUuid(itemIds)).execute()).map(({ number }) => number)

/** Characters that a name of an author counts for. */
const nameLength = 40

/**
 * Plain characters that take as long as a text: each character of LaTeX, or beyond ASCII, takes as long as eight. In UTF-8, those beyond
 * ASCII have one to three bytes more than characters.
 */
const weightOf = (name: string) => {
  const column = sql.ref(name)
  return sql<number>`coalesce(case when ${column} ~ ${latex} then 8 * length(${column})
    else length(${column}) + 4 * (octet_length(${column}) - length(${column})) end, 0)`
}

/** As `mayHaveLatex` finds it. */
const latex = '[$\\\\]|``'

/**
 * Bytes of papers for each character of a limit, beyond which no more are measured: to measure a text decompresses it. Ordinary papers
 * have about as many bytes as characters.
 */
const measuredBytesPerCharacter = 2

/** How many of the first changes have items that take as long as that many plain characters together; at least one. */
async function countWithin (transaction: Db, changes: ReadonlyArray<{ itemId: string }>, maxCharacters: number): Promise<number> {
  const maxBytes = measuredBytesPerCharacter * maxCharacters
  const { rows: [sum] } = await sql<{ count: number }>`
    with sized as (
      select change.ordinality as place, paper.id as paper_id, project_paper.id as item_id,
        sum(paper.bytes) over (order by change.ordinality) as bytes
      from unnest(${changes.map(({ itemId }) => itemId)}::uuid[]) with ordinality as change (item_id, ordinality)
        join project_paper on project_paper.id = change.item_id join paper on paper.id = project_paper.paper_id
    ), item as (
      select place, ${weightOf('paper.title')} + ${weightOf('paper.abstract')} +
        ${weightOf('project_paper.summary')} + jsonb_array_length(paper.authors) * ${nameLength}::int as characters
      from sized join project_paper on project_paper.id = sized.item_id join paper on paper.id = sized.paper_id
      where sized.bytes <= ${maxBytes}
    ), summed as (
      select place, sum(characters) over (order by place) as characters from item
    )
    select coalesce(
      min(place) filter (where characters > ${maxCharacters}),
      (select min(place) from sized where bytes > ${maxBytes}),
      ${changes.length + 1})::int - 1 as count
    from summed`.execute(transaction)
  return Math.max(sum!.count, 1)
}

/**
 * Items whose paper an open transaction is changing. It may not have seen these items, and then notes no change of theirs. The papers of
 * the other items are locked against change until this transaction ends. Waits for nobody, so that no deadlock can arise.
 */
async function listUncommitted (transaction: Db, projectId: string, itemIds: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with item as (
      select id, paper_id from project_paper where project_id = ${projectId} and id = any(${itemIds}::uuid[])
    ), unchanging as (
      select id from paper where id in (select paper_id from item) for share skip locked
    )
    select id from item where paper_id not in (select id from unchanging)`.execute(transaction)
  return rows.map(({ id }) => id)
}

async function readDocuments (transaction: Db, projectId: string, itemIds: readonly string[]) {
  const items = await transaction
    .selectFrom('project_paper')
    .innerJoin('paper', 'paper.id', 'project_paper.paper_id')
    .select([
      'project_paper.id as itemId',
      'project_paper.ready_at as readyAt',
      'project_paper.summary',
      'paper.title',
      'paper.abstract',
      'paper.authors',
      'paper.venue_name as venue'
    ])
    .select(['paper.doi', 'paper.arxiv_id', 'paper.pmid', 'paper.pmcid', 'paper.openalex_id'])
    .where('project_paper.project_id', '=', projectId)
    .where('project_paper.id', '=', anyUuid(itemIds))
    .execute()
  return items.map(({ doi, arxiv_id, pmid, pmcid, openalex_id, ...item }) => ({
    ...item,
    identifiers: [doi, arxiv_id, pmid, pmcid, openalex_id]
  }))
}
