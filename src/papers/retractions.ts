import type { PaperMetadata } from '../../schemas/metadata.js'
import type { PaperRecord } from '../../schemas/paper.js'

/**
 * Metadata of a paper as it is stored. `retracted_by` names the sources that state its retraction, so that each can take back its own
 * statement alone; where it is missing, the source of the record does. It is not published.
 */
export type StoredMetadata = PaperMetadata & { retracted_by?: unknown }

type Stating = Pick<PaperRecord, 'source' | 'metadata'>

/** The sources that state that a paper was retracted. */
function retractionSources ({ source, metadata }: Stating): string[] {
  if (metadata.retracted !== true) return []
  const { retracted_by: names } = metadata as StoredMetadata
  const named = Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
  return named.length === 0 ? [source.name] : named
}

/**
 * Metadata with the retraction that two records of one work state. A source that states none in its newer record has taken it back.
 * @param paper the paper that both become: its source, and the metadata apart from the retraction
 */
export function withRetraction ({ source, metadata }: Stating, older: Stating, newer: Stating): PaperMetadata {
  const standing = retractionSources(older).filter(name => name !== newer.source.name)
  return statedBy({ source, metadata }, [...standing, ...retractionSources(newer)])
}

/**
 * Metadata with the retractions of two stored papers that turned out to be one work. Neither takes back what the other states, not even
 * where both are of one source, which had two records of the work.
 * @param paper the paper that both become: its source, and the metadata apart from the retraction
 */
export const withBothRetractions = (paper: Stating, one: Stating, other: Stating): PaperMetadata =>
  statedBy(paper, [...retractionSources(one), ...retractionSources(other)])

/** Metadata with a retraction by the named sources; without one if there are none. */
function statedBy ({ source, metadata }: Stating, sources: readonly string[]): PaperMetadata {
  const names = new Set(sources)
  const { retracted, retracted_by: _, ...others }: StoredMetadata = metadata
  if (names.size === 0) return retracted === false ? { ...others, retracted } : others
  const isOwn = names.size === 1 && names.has(source.name)
  return { ...others, retracted: true, ...(isOwn ? {} : { retracted_by: [...names].sort() }) }
}
