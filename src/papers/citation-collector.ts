import type { StatedCitations } from '../../db/queries/citations.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { limitReferences } from '../../schemas/references.js'
import type { IndexedPaper } from './paper-index.js'

interface Collected { references: readonly string[] | Set<string>, cited_by: number | null }

/** Collects what the records of a batch state about the citations of its papers. */
export class CitationCollector {
  readonly #byPaper = new Map<IndexedPaper, Collected>()

  /** @param papers those that the record describes */
  add (papers: readonly IndexedPaper[], { citations }: PaperRecord): void {
    if (citations === undefined) return
    for (const paper of papers) this.#unite(paper, citations)
  }

  /** The rows to store, one for each paper. @param duplicates papers that were merged into others, in the order of the merges */
  rows (duplicates: ReadonlyArray<{ kept: IndexedPaper, duplicate: IndexedPaper }>): StatedCitations[] {
    for (const { kept, duplicate } of duplicates) {
      const moved = this.#byPaper.get(duplicate)
      if (moved === undefined) continue
      this.#byPaper.delete(duplicate)
      this.#unite(kept, moved)
    }
    return [...this.#byPaper].map(([{ id }, { references, cited_by }]) =>
      ({ paper_id: id, cited: limitReferences(references), cited_by }))
  }

  #unite (paper: IndexedPaper, { references, cited_by }: Collected): void {
    const collected = this.#byPaper.get(paper)
    // Most papers have one record in a batch. Its references occur once each.
    if (collected === undefined) this.#byPaper.set(paper, { references, cited_by })
    else {
      const united = collected.references instanceof Set ? collected.references : new Set(collected.references)
      for (const reference of references) united.add(reference)
      collected.references = united
      if (cited_by !== null) collected.cited_by = Math.max(collected.cited_by ?? 0, cited_by)
    }
  }
}
