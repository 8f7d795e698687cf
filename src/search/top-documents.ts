/** Scored documents, each named by its position over all segments. */
export interface ScoredDocuments {
  /** Undefined: every position whose score is not 0. */
  docs?: Uint32Array | undefined
  /** For each of them 0 or 1: all of group 1 precede those of group 0. */
  groups: Uint8Array
  /** For each of them. */
  scores: Float32Array
  /** For each position 0 to leave its document out. */
  passing?: Uint8Array | undefined
  /** Milliseconds since 1970. */
  readyAt: (doc: number) => number
  /** The item's UUID. */
  id: (doc: number) => string
}

/** A document of a page. */
export interface PageDocument { doc: number, id: string, group: number, score: number }

/** Documents that are gathered before the best are selected from them, at least. */
const minGathered = 256

/**
 * Selects one page: by group, then score, newest first, then by id. Whenever it has gathered twice as many documents as the page needs, it
 * keeps the best of them, and from then on passes over documents below these.
 */
export function selectPage (
  { docs, groups, scores, passing, readyAt, id }: ScoredDocuments,
  { limit, offset }: { limit: number, offset: number }
): PageDocument[] {
  const end = offset + limit
  const byScore = (one: number, other: number) => groups[other]! - groups[one]! || scores[other]! - scores[one]!
  const docAt = (index: number) => docs === undefined ? index : docs[index]!
  const gathered: number[] = []
  let maxGathered = Math.max(minGathered, 2 * end)
  let [lowestGroup, lowestScore] = [0, -Infinity]
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index]!
    const group = groups[index]!
    if (group < lowestGroup || (group === lowestGroup && score < lowestScore)) continue
    if ((score === 0 && docs === undefined) || passing?.[docAt(index)] === 0) continue
    if (gathered.push(index) < maxGathered) continue
    gathered.sort(byScore)
    const last = gathered[end - 1]!
    // Those with the same score as the last may precede it.
    let kept = end
    while (kept < gathered.length && byScore(last, gathered[kept]!) === 0) kept++
    gathered.length = kept
    maxGathered = Math.max(maxGathered, 2 * kept)
    lowestGroup = groups[last]!
    lowestScore = scores[last]!
  }
  const candidates = gathered.map(index =>
    ({ doc: docAt(index), group: groups[index]!, score: scores[index]!, readyAt: readyAt(docAt(index)), id: '' }))
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
