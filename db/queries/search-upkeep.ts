import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { mergeBlocks, mergeDocuments } from '../../src/search/compaction.js'
import { type Block, decodeBlock } from '../../src/search/segment.js'
import { type Head, lockIndex, readBlocks, readHeads, SegmentGone, writeBlocks, writeHead } from './search-blocks.js'

interface Folding {
  /** Larger sums of documents are left alone. */
  mostDocuments?: number
  /** Leaves few segments; else, they are folded when there are many of a size. */
  thorough?: boolean
}

/** Numbers that lead nowhere, above which a whole index is written anew. */
const mostGone = 2000
const blocksAtOnce = 64
/** A fold that takes longer than this has been cut off. */
const staleAfter = sql`interval '30 minutes'`

/**
 * Brings small segments together, so that a search reads few. What searches see changes in one moment, at the end; until then they read
 * the old ones. One process folds a project at a time, and none waits for it.
 */
export async function foldSegments (db: Db, projectId: string, { mostDocuments = Infinity, thorough = true }: Folding = {}): Promise<void> {
  for (;;) {
    const { segments, gone } = await listSegments(db, projectId)
    const run = chooseRun(segments, gone.length, { mostDocuments, thorough })
    if (run.length === 0) return
    const building = await claim(db, projectId)
    if (building === undefined) return
    try {
      if (!await fold(db, projectId, building, run, gone)) return
    } catch (error) {
      await db.deleteFrom('search_segment').where('id', '=', building).where('live', '=', false).execute()
      // Others have folded, or everything was deleted, meanwhile.
      if (error instanceof SegmentGone) return
      throw error
    }
  }
}

/** The same for every project. */
export async function foldAll (db: Db): Promise<void> {
  const { rows } = await sql<{ project_id: string }>`select distinct project_id from search_segment`.execute(db)
  for (const { project_id } of rows) await foldSegments(db, project_id)
}

interface Sized { id: string, words: number, documents: number }

async function listSegments (db: Db, projectId: string): Promise<{ segments: Sized[], gone: number[] }> {
  const segments = await db.selectFrom('search_segment').select(['id', 'words', 'documents']).where('project_id', '=', projectId).where('live', '=', true).orderBy('first_number').execute()
  const gone = await db.selectFrom('search_gone').select('number').where('project_id', '=', projectId).execute()
  return { segments, gone: gone.map(({ number }) => number) }
}

/**
 * Segments at the end of the list that are worth bringing together: the most of them of which none is much larger than the others, so
 * that a document is rewritten a few times in its life however many there are.
 */
function chooseRun (segments: readonly Sized[], gone: number, { mostDocuments, thorough }: Required<Folding>): Sized[] {
  const total = segments.reduce((sum, { documents }) => sum + documents, 0)
  if (total <= mostDocuments && gone > Math.max(mostGone, total / 10)) return [...segments]
  const [least, share] = thorough ? [2, 0.75] : [8, 0.25]
  let chosen = segments.length
  let sum = 0
  let largest = 0
  for (let from = segments.length - 1; from >= 0; from--) {
    const { documents } = segments[from]!
    sum += documents
    largest = Math.max(largest, documents)
    if (sum > mostDocuments) break
    if (segments.length - from >= least && largest <= share * sum) chosen = from
  }
  return segments.slice(chosen)
}

/** @returns the id of a segment that this process alone writes; undefined while another one writes one of the project */
async function claim (db: Db, projectId: string): Promise<string | undefined> {
  await db.deleteFrom('search_segment').where('project_id', '=', projectId).where('live', '=', false).where('created_at', '<', sql<Date>`now() - ${staleAfter}`).execute()
  const { rows: [claimed] } = await sql<{ id: string }>`
    insert into search_segment (project_id, live, first_number, documents, words)
    select id, false, 0, 0, 0 from project where id = ${projectId}
    on conflict (project_id) where not live do nothing returning id`.execute(db)
  return claimed?.id
}

async function fold (db: Db, projectId: string, building: string, run: readonly Sized[], gone: readonly number[]): Promise<boolean> {
  const heads = await readHeads(db, run)
  const { documents, places, words } = mergeDocuments(heads.map(({ documents }) => documents), new Set(gone))
  const directory: string[] = []
  let waiting: Block[] = []
  const flush = async () => {
    await writeBlocks(db, building, directory.length - waiting.length, waiting)
    waiting = []
  }
  for await (const block of mergeBlocks(heads.map((head, at) => ({ places: places[at]!, blocks: blocksOf(db, head) })))) {
    directory.push(block.entries[0]!)
    waiting.push(block)
    if (waiting.length >= blocksAtOnce) await flush()
  }
  await flush()
  await writeHead(db, building, directory, documents)
  const firstNumber = heads[0]!.documents.numbers[0] ?? 0
  const dropped = heads.flatMap(({ documents: { numbers } }, at) => [...numbers].filter((_number, place) => places[at]![place] === -1))
  return await db.transaction().execute(async transaction => {
    await lockIndex(transaction, projectId)
    const { numDeletedRows } = await transaction.deleteFrom('search_segment').where('id', 'in', run.map(({ id }) => id)).executeTakeFirst()
    if (Number(numDeletedRows) !== run.length) throw new SegmentGone()
    const { numUpdatedRows } = await transaction.updateTable('search_segment').set({ live: true, first_number: firstNumber, documents: documents.count, words }).where('id', '=', building).executeTakeFirst()
    if (Number(numUpdatedRows) !== 1) throw new SegmentGone()
    if (dropped.length > 0) await transaction.deleteFrom('search_gone').where('project_id', '=', projectId).where('number', '=', sql<number>`any(${dropped}::integer[])`).execute()
    return true
  })
}

async function * blocksOf (db: Db, { id, directory }: Head): AsyncIterable<Block> {
  for (let from = 0; from < directory.length; from += blocksAtOnce) {
    for (const bytes of await readBlocks(db, id, from, Math.min(directory.length, from + blocksAtOnce))) yield decodeBlock(bytes)
  }
}
