/** Scored documents, each named by its position over all segments. */
export interface ScoredDocuments {
  total: number
  /** 1 for documents that the query finds. */
  isFound: Uint8Array
  /** 0 to 3: all of a higher group precede those of a lower one. */
  group: (doc: number) => number
  scores: Float32Array
  /** Milliseconds since 1970. */
  readyAt: (doc: number) => number
  /** The item's UUID. */
  id: (doc: number) => string
}

const bins = 4096
const groups = 4

/**
 * Selects one page: by group, then score, newest first, then by id. A histogram of scores limits sorting to documents that may be on
 * the page or before it.
 */
export function selectPage ({ total, isFound, group, scores, readyAt, id }: ScoredDocuments, { limit, offset }: { limit: number, offset: number }): Array<{ doc: number, id: string }> {
  let highest = 0
  for (let doc = 0; doc < total; doc++) if (isFound[doc] !== 0 && scores[doc]! > highest) highest = scores[doc]!
  const scale = highest === 0 ? 0 : (bins - 1) / highest
  const binOf = (doc: number) => group(doc) * bins + Math.floor(scores[doc]! * scale)
  const sizes = new Uint32Array(groups * bins)
  for (let doc = 0; doc < total; doc++) if (isFound[doc] !== 0) sizes[binOf(doc)]!++

  const end = offset + limit
  let lowestBin = sizes.length
  for (let above = 0; lowestBin > 0 && above < end;) above += sizes[--lowestBin]!
  const candidates: Array<{ doc: number, group: number, score: number, readyAt: number, id: string }> = []
  for (let doc = 0; doc < total; doc++) {
    if (isFound[doc] !== 0 && binOf(doc) >= lowestBin) candidates.push({ doc, group: group(doc), score: scores[doc]!, readyAt: readyAt(doc), id: '' })
  }
  candidates.sort((one, other) => other.group - one.group || other.score - one.score || other.readyAt - one.readyAt || ((one.id ||= id(one.doc)) < (other.id ||= id(other.doc)) ? -1 : 1))
  return candidates.slice(offset, end).map(({ doc, id: known }) => ({ doc, id: known === '' ? id(doc) : known }))
}
