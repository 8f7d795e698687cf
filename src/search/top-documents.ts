export interface Candidates {
  total: number
  isFound: Uint8Array
  /** 0 to 3; a higher group stands before any lower one. */
  group: (place: number) => number
  scores: Float32Array
  readyAt: (place: number) => number
  id: (place: number) => string
  limit: number
  offset: number
}

const bins = 4096
const groups = 4

/** One page of what was found: by group, then score, newest first, then by id. Only what may be on the page is sorted. */
export function best ({ total, isFound, group, scores, readyAt, id, limit, offset }: Candidates): Array<{ place: number, id: string }> {
  let highest = 0
  for (let place = 0; place < total; place++) if (isFound[place] !== 0 && scores[place]! > highest) highest = scores[place]!
  const scale = highest === 0 ? 0 : (bins - 1) / highest
  const binOf = (place: number) => group(place) * bins + Math.floor(scores[place]! * scale)
  const sizes = new Uint32Array(groups * bins)
  for (let place = 0; place < total; place++) if (isFound[place] !== 0) sizes[binOf(place)]!++

  const wanted = offset + limit
  let lowest = sizes.length
  for (let above = 0; lowest > 0 && above < wanted;) above += sizes[--lowest]!
  const candidates: Array<{ place: number, group: number, score: number, readyAt: number, id: string }> = []
  for (let place = 0; place < total; place++) {
    if (isFound[place] !== 0 && binOf(place) >= lowest) candidates.push({ place, group: group(place), score: scores[place]!, readyAt: readyAt(place), id: '' })
  }
  candidates.sort((one, other) => other.group - one.group || other.score - one.score || other.readyAt - one.readyAt || ((one.id ||= id(one.place)) < (other.id ||= id(other.place)) ? -1 : 1))
  return candidates.slice(offset, wanted).map(({ place, id: known }) => ({ place, id: known === '' ? id(place) : known }))
}
