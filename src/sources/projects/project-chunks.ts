import type { ProjectSource } from '../../../schemas/project.js'

/** Projects that the first statement reads. */
export const firstChunkSize = 2
const maxChunkSize = 10
/** Characters that one statement should return: a project can have 250,000, and other queries wait while the database reads them. */
const chunkCharacters = 200_000

/** Number of projects for the next statement. @param characters of each project that the last one read */
export function nextChunkSize (characters: readonly number[]): number {
  const mean = characters.reduce((sum, each) => sum + each, 0) / Math.max(1, characters.length)
  return Math.max(1, Math.min(maxChunkSize, Math.floor(chunkCharacters / mean)))
}

/** Characters of a project's sources with their states, about: the states repeat the queries. */
export const charactersOfSources = ({ sources }: { sources: readonly ProjectSource[] }): number =>
  sources.reduce((sum, { query }) => sum + 2 * query.length, 0)
