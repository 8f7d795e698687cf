import { versionlessDoi } from '../papers/doi-versions.js'
import type { CitationReasons } from '../../schemas/relevance.js'
import { PartitionedMap } from './partitioned-map.js'

/** A paper with its identifiers and the works that it cites, by identifiers. */
export interface Work { paper_id?: string | undefined, ids: readonly string[], cited: readonly string[] }
/** A paper that was starred or upvoted. */
export interface LikedWork extends Work { paper_id: string, title: string, starred: boolean }

/** Links of a paper to liked papers, with their strength, 0 to 1. */
export type CitationLinks = CitationReasons & { strength: number }

/** Fewer shared references are common in any field. */
const minShared = 3
/** A reference that more liked papers have, such as one to a method, says nothing about the subject. */
const maxCommon = 50
/** Pairs of a reference and a liked work that has it, too, which are counted for a paper. */
const maxShared = 30_000
const maxNamed = 3
/** Share of the way to full strength that one citation takes, and shared references per cosine similarity of the lists. */
const saturation = { citation: 0.7, similarity: 2 }

/**
 * Finds how citations link papers to liked ones. A paper is not linked to itself or to another form of its work, so the links of a liked
 * paper say what the others predict about it. A work that is liked in two forms counts once, as the one that was added first.
 */
export class CitationLinker {
  readonly #byId = new Map<string, LikedWork>()
  readonly #byReference = new PartitionedMap<LikedWork[]>()
  readonly #identities = new Map<string, Identity>()

  constructor (liked: readonly LikedWork[] = []) {
    for (const { ids } of liked) this.addIdentifiers(ids)
    for (const work of liked) this.add(work)
  }

  /** Tells that these identifiers name one work. Works that are added later may name it by any of them. */
  addIdentifiers (ids: readonly string[]): void {
    const all = [...new Set(ids.map(versionlessDoi))]
    if (all.length < 2) return
    const known = new Set(all.map(id => this.#identities.get(id)).filter(each => each !== undefined))
    const [identity = { name: all[0]!, ids: [], kinds: new Set() }, ...others] = [...known].sort((a, b) => b.ids.length - a.ids.length)
    for (const id of [...others.flatMap(other => other.ids), ...all]) {
      if (this.#identities.get(id) === identity) continue
      identity.ids.push(id)
      identity.kinds.add(kindOf(id))
      this.#identities.set(id, identity)
    }
  }

  /** Adds a liked work. The identifiers of all works come first. */
  add (liked: LikedWork): void {
    const work = this.#named(liked)
    for (const id of work.ids) if (!this.#byId.has(id)) this.#byId.set(id, work)
    for (const id of work.cited) {
      const citing = this.#byReference.get(id)
      if (citing === undefined) this.#byReference.set(id, [work])
      else citing.push(work)
    }
  }

  /** @returns undefined if nothing links the work to a liked one */
  find (found: Work): CitationLinks | undefined {
    if (this.#byId.size === 0 && this.#byReference.isEmpty) return undefined
    const work = this.#named(found)
    const own = new Set(work.ids)
    const isOther = (other: LikedWork) => other.paper_id !== work.paper_id && !other.ids.some(id => own.has(id))
    const cites = new Set<LikedWork>()
    const shared = new Map<LikedWork, SharedCounts>()
    let counted = 0
    for (const id of work.cited) {
      const named = this.#byId.get(id)
      if (named !== undefined && isOther(named)) cites.add(named)
      const citing = this.#byReference.get(id)
      if (citing === undefined || citing.length > maxCommon || counted + citing.length > maxShared) continue
      counted += citing.length
      const kinds = this.#kindsOf(id)
      for (const other of citing) countShared(shared, other, kinds)
    }
    const citedBy = new Set(work.ids.flatMap(id => this.#byReference.get(id) ?? []).filter(isOther).map(other => this.#firstForm(other)))
    const shares = mostShared([...shared].filter(([other]) => isOther(other)))
    if (cites.size + citedBy.size === 0 && shares === null) return undefined
    const amount = saturation.citation * (cites.size + citedBy.size) +
      (shares === null ? 0 : saturation.similarity * this.#similarityOf(shares, work))
    return {
      cites: linked(cites),
      cited_by: linked(citedBy),
      shares: shares === null ? null : { ...named(shares.work), references: shares.references },
      strength: 1 - Math.exp(-amount)
    }
  }

  /** The work with one name for each that it cites. Versions of a work are one paper, stored under one of their DOIs. */
  #named<T extends Work> (work: T): T {
    const names = (ids: readonly string[]) => [...new Set(ids.map(id => {
      const plain = versionlessDoi(id)
      return this.#identities.get(plain)?.name ?? plain
    }))]
    return { ...work, ids: names(work.ids), cited: names(work.cited) }
  }

  /** The form of a liked work that was added first. */
  #firstForm (work: LikedWork): LikedWork {
    return this.#byId.get(work.ids[0] ?? '') ?? work
  }

  #kindsOf (name: string): Iterable<Kind> {
    return this.#identities.get(name)?.kinds ?? [kindOf(name)]
  }

  /** Cosine similarity of two lists of references, by identifiers of one kind. */
  #similarityOf ({ work: other, references, kind }: Shares, work: Work): number {
    const size = (cited: readonly string[]) => cited.reduce((sum, name) => {
      const kinds = this.#identities.get(name)?.kinds
      return sum + ((kinds === undefined ? kindOf(name) === kind : kinds.has(kind)) ? 1 : 0)
    }, 0)
    return references / Math.sqrt(size(work.cited) * size(other.cited))
  }
}

/** A work that is known by several identifiers: all of them with their kinds, and the one that stands for them. */
interface Identity { name: string, ids: string[], kinds: Set<Kind> }

/** Numbers of shared references by kind of identifier: sources name one work by different ones, and it counts once. */
type SharedCounts = [dois: number, pmids: number, openalex: number]
type Kind = 0 | 1 | 2

const kindOf = (id: string): Kind => id.startsWith('W') ? 2 : id.includes('/') ? 0 : 1

/** A work of which several identifiers are known counts once for each kind: works that are known by one identifier have no other. */
function countShared (shared: Map<LikedWork, SharedCounts>, other: LikedWork, kinds: Iterable<Kind>): void {
  const counts = shared.get(other) ?? [0, 0, 0]
  for (const kind of kinds) counts[kind]++
  shared.set(other, counts)
}

interface Shares { work: LikedWork, references: number, kind: Kind }

function mostShared (shared: Iterable<readonly [LikedWork, SharedCounts]>): Shares | null {
  let best: Shares | null = null
  for (const [work, counts] of shared) {
    const references = Math.max(...counts)
    if (references < minShared) continue
    if (best === null || references > best.references || (references === best.references && work.starred && !best.work.starred)) {
      best = { work, references, kind: counts.indexOf(references) as Kind }
    }
  }
  return best
}

const named = ({ paper_id, title, starred }: LikedWork) => ({ paper_id, title, starred })

function linked (works: ReadonlySet<LikedWork>): CitationReasons['cites'] {
  const all = [...works].sort((a, b) => Number(b.starred) - Number(a.starred))
  const starred = all.filter(work => work.starred).length
  return { starred, upvoted: all.length - starred, papers: all.slice(0, maxNamed).map(named) }
}
