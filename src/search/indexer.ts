import { WorkerPool } from '../threads/worker-pool.js'
import {
  buildParts,
  type BuiltSegment,
  type MergeInput,
  type MergePlan,
  mergeRange,
  type NumberedRow,
  planMerge,
  type RangeInput
} from './index-tasks.js'

/** A task of indexing. */
export type IndexTask =
  | { kind: 'build', rows: readonly NumberedRow[] }
  | { kind: 'plan', input: MergeInput }
  | { kind: 'merge', input: RangeInput }

/** Runs a task in this thread. */
export function runIndexTask (task: IndexTask): BuiltSegment | MergePlan | ReturnType<typeof mergeRange> {
  switch (task.kind) {
    case 'build': return buildParts(task.rows)
    case 'plan': return planMerge(task.input)
    case 'merge': return mergeRange(task.input)
  }
}

/** Runs beside searches, which have a thread of their own. */
const threads = new WorkerPool<IndexTask, unknown>({
  name: 'Indexing',
  program: new URL('./index-thread.js', import.meta.url),
  timeoutMs: 120_000,
  maxHeapMb: 512
})

/** Work on no more documents takes a millisecond or two; a message to a thread would take longer. */
const maxInlineDocuments = 10

/** Builds a segment, off the event loop if it has many documents. */
export const buildOffThread = async (rows: readonly NumberedRow[]): Promise<BuiltSegment> =>
  rows.length <= maxInlineDocuments ? buildParts(rows) : await threads.run({ kind: 'build', rows }) as BuiltSegment

/** Plans a merge off the event loop. */
export const planMergeOffThread = async (input: MergeInput): Promise<MergePlan> =>
  (await threads.run({
    kind: 'plan',
    input: { ...input, documents: input.documents.map(copyOf), directories: input.directories.map(copyOf) }
  })) as MergePlan

/** Merges a range off the event loop. */
export const mergeRangeOffThread = async (input: RangeInput): Promise<ReturnType<typeof mergeRange>> =>
  (await threads.run({ kind: 'merge', input: { ...input, blocks: input.blocks.map(blocks => blocks.map(copyOf)) } })) as ReturnType<
    typeof mergeRange
  >

/** Bytes without their neighbors: a message copies the whole buffer that they are part of. */
export const copyOf = (bytes: Uint8Array): Uint8Array => bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
