import { sql } from 'kysely'
import type { Db } from '../connection.js'
import { directoryPart, documentsPart, keep, kept } from '../../src/search/block-cache.js'
import type { Loaded } from '../../src/search/ranking.js'
import { type Block, blocksWith, type Documents, encodeBlock, encodeDirectory, encodeDocuments } from '../../src/search/segment.js'
import type { Segment } from '../../src/search/segment-writer.js'

export interface SegmentRow { id: string, words: number }

interface Place { segmentId: string, part: number }

/** A part that is not there any more: its segment went into another one meanwhile, and what is there must be asked for anew. */
export class SegmentGone extends Error {}

/** Reads parts of segments, from memory where they have been read before. @throws SegmentGone */
async function readParts<T> (db: Db, places: readonly Place[]): Promise<T[]> {
  const found = places.map(({ segmentId, part }) => kept(segmentId, part))
  const missing = places.filter((_place, at) => found[at] === undefined)
  if (missing.length > 0) {
    const read = new Map<string, unknown>()
    // Key by key, whatever the planner thinks of a new table.
    const { rows } = await sql<{ segment_id: string, part: number, bytes: Buffer }>`
      select wanted.segment_id, wanted.part, block.bytes
      from unnest(${missing.map(({ segmentId }) => segmentId)}::uuid[], ${missing.map(({ part }) => part)}::integer[]) as wanted (segment_id, part)
      cross join lateral (select bytes from search_block where search_block.segment_id = wanted.segment_id and search_block.part = wanted.part limit 1) block`.execute(db)
    for (const { segment_id, part, bytes } of rows) read.set(`${segment_id} ${part}`, keep(segment_id, part, bytes))
    for (const [at, { segmentId, part }] of places.entries()) found[at] ??= read.get(`${segmentId} ${part}`) as never
  }
  if (found.includes(undefined)) throw new SegmentGone()
  return found as T[]
}

export interface Head extends SegmentRow { directory: string[], documents: Documents }

export async function readHeads (db: Db, segments: readonly SegmentRow[]): Promise<Head[]> {
  const parts = await readParts<string[] | Documents>(db, segments.flatMap(({ id }) => [{ segmentId: id, part: directoryPart }, { segmentId: id, part: documentsPart }]))
  return segments.map((segment, at) => ({ ...segment, directory: parts[at * 2] as string[], documents: parts[at * 2 + 1] as Documents }))
}

/** Brings into memory what a search for entries with these beginnings reads. */
export async function loadSegments (db: Db, segments: readonly SegmentRow[], beginnings: readonly string[]): Promise<Loaded[]> {
  const heads = await readHeads(db, segments)
  const places = new Map<string, Place>()
  for (const { id, directory } of heads) {
    for (const beginning of beginnings) {
      const { from, to } = blocksWith(directory, beginning)
      for (let part = from; part < to; part++) places.set(`${id} ${part}`, { segmentId: id, part })
    }
  }
  const keys = [...places.keys()]
  const read = await readParts<Block>(db, [...places.values()])
  const blocks = new Map(keys.map((key, at) => [key, read[at]!]))
  return heads.map(({ id, words, directory, documents }) => ({
    documents,
    words,
    blocks (beginning) {
      const { from, to } = blocksWith(directory, beginning)
      return Array.from({ length: to - from }, (_each, at) => blocks.get(`${id} ${from + at}`)!)
    }
  }))
}

/** Blocks of a segment in their order, some at a time, past the cache. @throws SegmentGone */
export const readBlocks = async (db: Db, segmentId: string, from: number, to: number): Promise<Buffer[]> => {
  const rows = await db.selectFrom('search_block').select('bytes').where('segment_id', '=', segmentId).where('part', '>=', from).where('part', '<', to).orderBy('part').execute()
  if (rows.length < to - from) throw new SegmentGone()
  return rows.map(({ bytes }) => bytes)
}

export const writeBlocks = async (db: Db, segmentId: string, from: number, blocks: readonly Block[]): Promise<void> => {
  if (blocks.length > 0) await db.insertInto('search_block').values(blocks.map((block, at) => ({ segment_id: segmentId, part: from + at, bytes: encodeBlock(block) }))).execute()
}

export const writeHead = async (db: Db, segmentId: string, directory: readonly string[], documents: Documents): Promise<void> => {
  await db.insertInto('search_block').values([
    { segment_id: segmentId, part: directoryPart, bytes: encodeDirectory(directory) },
    { segment_id: segmentId, part: documentsPart, bytes: encodeDocuments(documents) }
  ]).execute()
}

/** Held to the end of a transaction that changes what is live in a project. */
export const lockIndex = (transaction: Db, projectId: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${`search ${projectId}`}, 0))`.execute(transaction)

/** Adds a small segment, whole. */
export async function saveSegment (db: Db, projectId: string, { documents, words, blocks }: Segment): Promise<void> {
  const { id } = await db.insertInto('search_segment')
    .values({ project_id: projectId, live: true, first_number: documents.numbers[0]!, documents: documents.count, words }).returning('id').executeTakeFirstOrThrow()
  await writeHead(db, id, blocks.map(({ entries }) => entries[0]!), documents)
  await writeBlocks(db, id, 0, blocks)
}
