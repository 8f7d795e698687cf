import { OperationError } from '../../src/errors/operation-errors.js'
import { feedSearch } from '../../src/operations/feed/feed-search.js'
import type { BenchProject } from './bench-project.js'
import { randomNumbers } from './random.js'

const pieces: ReadonlyArray<readonly string[]> = [
  ['&', '|', '!', '<->', ':*', 'AND', 'OR', 'NOT', 'NEAR', '(', ')', '((', '))', '*', '^', '~', '-', '+'],
  ['"', '\'', '`', '“', '’', '\\', '\\\\', '"sleep', "'; drop table paper; --", '$1', '%', '_', '{}', '[]'],
  ['\u0001', '\u0007', '\u001b[31m', '\u007f', '\u0085', '\u00ad', '\u200b', '\ufeff', '\ufffd', '\ud800', '\t', '\n'],
  ['😀', '👩‍🔬', '🇩🇪', '🧬🧪', '☃', '①', '½', 'ﬁ', '㎏', 'Å'],
  ['\u202e', 'שלום', 'مرحبا', '\u200f', '\u2067', 'العربية', '\u202a'],
  ['a', 'e', '1', 's', 'co', 'th', 'the', 'of', 'é', 'ß', 'ı', '中', '記憶', 'ａ', 'a\u0301\u0301\u0301\u0301', '\u0301'],
  ['10.', '10.1000/', 'PMID:', 'arXiv:', 'PMC', '0000000', '2401.', 'https://doi.org/', 'x'.repeat(60), '9'.repeat(40)]
]

/**
 * Generates hostile queries of 3 to 200 characters: operators, quotes, control characters, emoji, right-to-left text. The same on every run
 * for one seed.
 */
export function hostileQueries (count: number, seed = 5): string[] {
  const random = randomNumbers(seed)
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
  return Array.from({ length: count }, (_each, at) => {
    const kinds = at % 3 === 0 ? [one(pieces)] : pieces
    const length = at % 10 === 0 ? 200 : 3 + Math.floor(random() * 198)
    let made = ''
    while (made.length < length) made += one(one(kinds)) + (random() < 0.5 ? ' ' : '')
    return made.slice(0, length)
  })
}

/**
 * Runs all queries. @returns how many were answered and refused as invalid, milliseconds of each, and the slowest query @throws any other
 * error
 */
export async function measureHostile (
  { context, projectId }: BenchProject,
  queries: readonly string[]
): Promise<{ answered: number, refused: number, took: number[], slowest: string }> {
  let [answered, refused, slowest, longest] = [0, 0, '', 0]
  const took: number[] = []
  for (const q of queries) {
    const began = performance.now()
    try {
      await feedSearch.run(context, { project_id: projectId, q, limit: 100, offset: 0 })
      answered++
    } catch (cause) {
      if (!(cause instanceof OperationError) || cause.code !== 'invalid_arguments') throw cause
      refused++
    }
    const time = performance.now() - began
    took.push(time)
    if (time > longest) [longest, slowest] = [time, q]
  }
  return { answered, refused, took, slowest }
}
