import { mayHaveLatex } from '../latex/inline-latex.js'
import { backgroundMemory, interactiveMemory, type MemoryBudget } from '../threads/memory-budget.js'
import { WorkerPool } from '../threads/worker-pool.js'
import {
  buildParts,
  type BuiltSegment,
  type MergeInput,
  type MergePlan,
  mergeNameParts,
  mergeRange,
  type NamesInput,
  type NumberedRow,
  type PartCopy,
  planMerge,
  type RangeInput
} from './index-tasks.js'

/** A task of indexing. */
export type IndexTask =
  | { kind: 'build', rows: readonly NumberedRow[], tombstones: readonly number[] }
  | { kind: 'plan', input: MergeInput }
  | { kind: 'merge', input: RangeInput }
  | { kind: 'names', input: NamesInput }

/** Runs a task in this thread. */
export function runIndexTask (
  task: IndexTask
): BuiltSegment | MergePlan | ReturnType<typeof mergeRange> | ReturnType<typeof mergeNameParts> {
  switch (task.kind) {
    case 'build': return buildParts(task.rows, task.tombstones)
    case 'plan': return planMerge(task.input)
    case 'merge': return mergeRange(task.input)
    case 'names': return mergeNameParts(task.input)
  }
}

/** A thread of index tasks. Searches have one of their own. */
const indexThread = (options: { maxHeapMb: number, memory: MemoryBudget }) => new WorkerPool<IndexTask, unknown>({
  name: 'Indexing',
  program: new URL('./index-thread.js', import.meta.url),
  timeoutMs: 120_000,
  ...options
})

/** Searches wait for builds, which so do not wait for merges, which take longer. */
const builds = indexThread({ maxHeapMb: 128, memory: interactiveMemory })
const merges = indexThread({ maxHeapMb: 384, memory: backgroundMemory })

/** Work on no more documents takes a millisecond or two; a message to a thread would take longer. */
const maxInlineDocuments = 10
/**
 * Characters of texts with LaTeX, or beyond ASCII, that take at most some milliseconds, and how many plain ones take as long as one of
 * these. Each Chinese character is an entry of its own, and some characters become several words.
 */
const [maxInlineCharacters, plainCharacters] = [5000, 8]
const asciiCharacters = /[\0-\x7f]+/g

/** Whether work on documents is so little that it may run on the event loop. */
export function isInline (rows: ReadonlyArray<Pick<NumberedRow, 'title' | 'abstract' | 'summary' | 'authors'>>): boolean {
  if (rows.length > maxInlineDocuments) return false
  let characters = 0
  for (const { title, abstract, summary, authors } of rows) {
    for (const text of [title, abstract ?? '', summary ?? '', ...authors.map(({ name }) => name)]) {
      const heavy = mayHaveLatex(text) ? text.length : text.replace(asciiCharacters, '').length
      characters += heavy + (text.length - heavy) / plainCharacters
    }
  }
  return characters <= maxInlineCharacters
}

/** Builds a segment, off the event loop unless it takes little. */
export const buildOffThread = async (rows: readonly NumberedRow[], tombstones: readonly number[]): Promise<BuiltSegment> =>
  isInline(rows) ? buildParts(rows, tombstones) : await builds.run({ kind: 'build', rows, tombstones }) as BuiltSegment

/** Plans a merge off the event loop. */
export const planMergeOffThread = async ({ documents, directories, tombstones, ...input }: MergeInput): Promise<MergePlan> =>
  (await merges.run({
    kind: 'plan',
    input: { ...input, documents: documents.map(copyOf), directories: directories.map(copyOf), tombstones: tombstones.map(copyOf) }
  })) as MergePlan

/** Merges a range off the event loop. */
export const mergeRangeOffThread = async (input: RangeInput): Promise<ReturnType<typeof mergeRange>> =>
  (await merges.run({ kind: 'merge', input: { ...input, blocks: input.blocks.map(blocks => blocks.map(copyOf)) } })) as ReturnType<
    typeof mergeRange
  >

/** Merges names off the event loop. */
export const mergeNamesOffThread = async ({ names, tombstones }: NamesInput): Promise<PartCopy[] | undefined> =>
  await merges.run({ kind: 'names', input: { names: names.map(copyOf), tombstones: tombstones.map(copyOf) } }) as PartCopy[] | undefined

/** Bytes without their neighbors: a message copies the whole buffer that they are part of. */
export const copyOf = (bytes: Uint8Array): Uint8Array => bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes)
