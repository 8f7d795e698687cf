import { frequencies } from './document.js'
import { Match, type Plan, type Wanted } from './plan.js'
import { type Block, type Documents, eachPosting, idAt, placeFrom } from './segment.js'
import { best } from './top-documents.js'

/** What one field counts for, against the abstract. */
export const weights = { title: 3, authors: 1.5, summary: 0.2, abstract: 1 }
/** BM25's saturation of term frequency, and how much of it length takes away. */
const k1 = 1.6
const b = 0.75
/** Words that every document has beyond its own: one without an abstract is not concise, but little is known of it. */
const unknownWords = 40
/** What an inflection of a word, and a longer word that it begins, count for against the word itself. */
const inflection = 0.9
const prefix = 0.25
/** In a query of many terms, items that lack only what says less than the rest of this share follow those that have all. */
const manyTerms = 5
const nearlyAll = 0.9
/** Above whatever words can sum up to. */
const identifierScore = 10_000

export interface Loaded {
  documents: Documents
  /** Words of all its documents. */
  words: number
  /** Blocks that may hold entries with this beginning; they are in memory. */
  blocks: (beginning: string) => Iterable<Block>
}

export interface Wish {
  plan: Plan
  segments: readonly Loaded[]
  /** Numbers of documents that are there no more. */
  gone: readonly number[]
  filters: readonly NumberFilter[]
}

/** Only these documents, or all but these. */
export interface NumberFilter { numbers: readonly number[], keep: boolean }

export interface Ranked { id: string, hasAll: boolean }
/** What was found, of which any page can be had. */
export type Ranking = (page: { limit: number, offset: number }) => Ranked[]

/** Postings of entries of one segment, from and up to, that answer what is wanted in the same way. */
interface Posted { base: number, block: Block, from: number, to: number, match: Match }

/** Ranks documents by BM25 over weighted fields. @see docs/search.md */
export function rank ({ plan, segments, gone, filters }: Wish): Ranking {
  const bases: number[] = []
  let total = 0
  let words = 0
  for (const { documents, words: of } of segments) {
    bases.push(total)
    total += documents.count
    words += of
  }
  if (total === 0) return () => []
  const field = frequencies(weights)
  const damping = dampingOf(segments, total, words / total)
  const scores = new Float32Array(total)
  const matched = new Uint8Array(total)
  const found = new Uint8Array(total)
  const mass = new Float32Array(total)
  let totalMass = 0
  const scratch = new Scratch(total)

  for (const term of plan.terms) {
    scratch.begin()
    for (const each of term) scratch.add(postedOf(segments, bases, each), { total, field, damping })
    totalMass += scratch.end(term.length, scores, matched, found, mass)
  }
  for (const { base, block, from } of postedOf(segments, bases, { beginnings: [plan.identifier], match: entry => entry === plan.identifier ? Match.whole : Match.none })) {
    eachPosting(block, from, place => { scores[base + place]! += identifierScore })
  }

  for (const number of gone) withPlace(segments, bases, number, place => { found[place] = 0 })
  for (const { numbers, keep } of filters) {
    const chosen = new Uint8Array(keep ? total : 0)
    for (const number of numbers) {
      withPlace(segments, bases, number, place => {
        if (keep) chosen[place] = found[place]!
        else found[place] = 0
      })
    }
    if (keep) found.set(chosen)
  }

  const segmentOf = (place: number) => {
    let at = bases.length - 1
    while (bases[at]! > place) at--
    return at
  }
  const all = plan.terms.length
  const least = all >= manyTerms ? totalMass * nearlyAll : Infinity
  return ({ limit, offset }) => best({
    total,
    isFound: found,
    group: place => matched[place] === all ? 3 : mass[place]! >= least ? 2 : matched[place]! > 0 ? 1 : 0,
    scores,
    readyAt: place => { const at = segmentOf(place); return segments[at]!.documents.readyAt[place - bases[at]!]! },
    id: place => { const at = segmentOf(place); return idAt(segments[at]!.documents, place - bases[at]!) },
    limit,
    offset
  }).map(({ place, id }) => ({ id, hasAll: matched[place] === all }))
}

/** What length adds to the term frequency at which half of the score is reached, for each document. */
function dampingOf (segments: readonly Loaded[], total: number, averageLength: number): Float32Array {
  const damping = new Float32Array(total)
  let at = 0
  for (const { documents: { lengths, count } } of segments) {
    for (let place = 0; place < count; place++) damping[at++] = k1 * (1 - b + b * (lengths[place]! + unknownWords) / (averageLength + unknownWords))
  }
  return damping
}

/** Stands after every letter and digit. */
const lastCharacter = '\uffff'

function postedOf (segments: readonly Loaded[], bases: readonly number[], { beginnings, match }: Wanted): Posted[] {
  const posted: Posted[] = []
  for (const [index, segment] of segments.entries()) {
    for (const beginning of beginnings) {
      for (const block of segment.blocks(beginning)) {
        const end = placeFrom(block.entries, beginning + lastCharacter)
        let last: Posted | undefined
        for (let at = placeFrom(block.entries, beginning); at < end; at++) {
          const kind = match(block.entries[at]!)
          if (kind === last?.match) last.to = at + 1
          else if (kind === Match.none) last = undefined
          else posted.push(last = { base: bases[index]!, block, from: at, to: at + 1, match: kind })
        }
      }
    }
  }
  return posted
}

function withPlace (segments: readonly Loaded[], bases: readonly number[], number: number, then: (place: number) => void): void {
  for (const [index, { documents: { numbers, count } }] of segments.entries()) {
    if (count === 0 || number < numbers[0]! || number > numbers[count - 1]!) continue
    let low = 0
    let high = count - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (numbers[middle]! < number) low = middle + 1
      else high = middle
    }
    if (numbers[low] === number) then(bases[index]! + low)
  }
}

const strict = 2
const loose = 1

/** Accumulates one term over all documents. */
class Scratch {
  readonly #whole: Float32Array
  readonly #begun: Float32Array
  readonly #kind: Uint8Array
  readonly #touched: Uint32Array
  readonly #score: Float32Array
  readonly #parts: Uint8Array
  readonly #strictParts: Uint8Array
  readonly #hit: Uint32Array
  #hits = 0
  #idf = 0

  constructor (total: number) {
    this.#whole = new Float32Array(total)
    this.#begun = new Float32Array(total)
    this.#kind = new Uint8Array(total)
    this.#touched = new Uint32Array(total)
    this.#score = new Float32Array(total)
    this.#parts = new Uint8Array(total)
    this.#strictParts = new Uint8Array(total)
    this.#hit = new Uint32Array(total)
  }

  begin (): void {
    this.#hits = 0
    this.#idf = 0
  }

  add (posted: readonly Posted[], { total, field, damping }: { total: number, field: Float64Array, damping: Float32Array }): void {
    const list = this.#touched
    let touched = 0
    let wholes = 0
    const whole = this.#whole
    const begun = this.#begun
    const kinds = this.#kind
    for (const { base, block: { postings, starts }, from, to, match } of posted) {
      const target = match === Match.prefix ? begun : whole
      const factor = match === Match.whole ? 1 : match === Match.prefix ? prefix : inflection
      const kind = match === Match.inflection ? loose : strict
      const isWhole = match !== Match.prefix
      for (let entry = from; entry < to; entry++) {
        const end = starts[entry + 1]!
        let place = base - 1
        for (let byte = starts[entry]!; byte < end;) {
          let distance = postings[byte++]!
          if (distance > 127) {
            distance &= 127
            for (let shift = 7; ; shift += 7) {
              const part = postings[byte++]!
              distance |= (part & 127) << shift
              if (part < 128) break
            }
          }
          place += distance
          if (kinds[place] === 0) list[touched++] = place
          if (isWhole && whole[place] === 0) wholes++
          kinds[place]! |= kind
          target[place]! += factor * field[postings[byte++]!]!
        }
      }
    }
    const idfWhole = idf(total, wholes)
    const idfBegun = idf(total, touched)
    this.#idf += idfBegun
    for (let at = 0; at < touched; at++) {
      const place = list[at]!
      const half = damping[place]!
      const asWhole = whole[place]!
      const asBegun = begun[place]!
      // Longer words that a word begins count where the word itself is not: they add nothing to it.
      const score = asWhole > 0 ? idfWhole * asWhole / (asWhole + half) : idfBegun * asBegun / (asBegun + half)
      if (this.#parts[place] === 0) this.#hit[this.#hits++] = place
      this.#parts[place]!++
      if ((kinds[place]! & strict) !== 0) this.#strictParts[place]!++
      this.#score[place]! += score
      whole[place] = begun[place] = kinds[place] = 0
    }
  }

  end (parts: number, scores: Float32Array, matched: Uint8Array, found: Uint8Array, mass: Float32Array): number {
    for (let at = 0; at < this.#hits; at++) {
      const place = this.#hit[at]!
      if (this.#parts[place] === parts) {
        scores[place]! += this.#score[place]!
        const isStrict = this.#strictParts[place] === parts
        if (isStrict) matched[place]!++
        mass[place]! += this.#idf
        found[place] = 1
      }
      this.#score[place] = this.#parts[place] = this.#strictParts[place] = 0
    }
    return this.#idf
  }
}

const idf = (total: number, having: number): number => Math.log(1 + (total - having + 0.5) / (having + 0.5))
