/** Scored documents, each named by its position over all segments. */
export interface ScoredDocuments {
  docs: Uint32Array
  /** For each of them 0 or 1: all of group 1 precede those of group 0. */
  groups: Uint8Array
  /** For each of them. */
  scores: Float32Array
  /** Milliseconds since 1970. */
  readyAt: (doc: number) => number
  /** The item's UUID. */
  id: (doc: number) => string
}

/** A document of a page. */
export interface PageDocument { doc: number, id: string, group: number, score: number }

const bins = 4096
const groupCount = 2

/**
 * Selects one page: by group, then score, newest first, then by id. A histogram of scores limits sorting to documents that may be on
 * the page or before it.
 */
export function selectPage (
  { docs, groups, scores, readyAt, id }: ScoredDocuments,
  { limit, offset }: { limit: number, offset: number }
): PageDocument[] {
  const end = offset + limit
  const sizes = new Uint32Array(groupCount)
  for (let index = 0; index < docs.length; index++) sizes[groups[index]!]!++
  let lowestGroup = groupCount - 1
  let above = 0
  while (lowestGroup > 0 && above + sizes[lowestGroup]! < end) above += sizes[lowestGroup--]!

  // Of the lowest group on the page, the best scores are enough.
  let lowestScore = -Infinity
  if (above + sizes[lowestGroup]! > end) {
    let highest = 0
    for (let index = 0; index < docs.length; index++) {
      if (scores[index]! > highest && groups[index] === lowestGroup) highest = scores[index]!
    }
    const scale = highest === 0 ? 0 : (bins - 1) / highest
    const binSizes = new Uint32Array(bins)
    for (let index = 0; index < docs.length; index++) if (groups[index] === lowestGroup) binSizes[scores[index]! * scale | 0]!++
    let lowestBin = bins
    for (let inBins = above; lowestBin > 0 && inBins < end;) inBins += binSizes[--lowestBin]!
    // A little less, since division rounds.
    if (lowestBin > 0) lowestScore = lowestBin / scale * (1 - 1e-9)
  }
  const candidates: Array<{ doc: number, group: number, score: number, readyAt: number, id: string }> = []
  for (let index = 0; index < docs.length; index++) {
    const group = groups[index]!
    if (group < lowestGroup || (group === lowestGroup && scores[index]! < lowestScore)) continue
    candidates.push({ doc: docs[index]!, group, score: scores[index]!, readyAt: readyAt(docs[index]!), id: '' })
  }
  candidates.sort(
    (one, other) =>
      other.group - one.group ||
      other.score - one.score ||
      other.readyAt - one.readyAt ||
      ((one.id ||= id(one.doc)) < (other.id ||= id(other.doc)) ? -1 : 1)
  )
  return candidates
    .slice(offset, end)
    .map(({ doc, id: known, group, score }) => ({ doc, group, score, id: known === '' ? id(doc) : known }))
}
