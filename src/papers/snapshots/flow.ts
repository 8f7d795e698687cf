import type { PrismaFlow } from '../../../schemas/snapshot.js'
import type { SnapshotRecord, UnlistedRecords } from './document.js'

/** Counts records for a PRISMA 2020 flow diagram. */
export class FlowCounter {
  readonly #unlisted: readonly UnlistedRecords[]
  readonly #bySource = new Map<string, number>()
  readonly #decisions = { included: 0, included_unscreened: 0, excluded: 0, not_screened: 0, excluded_automatically: 0 }
  readonly #reasons = { not_relevant: 0, low_quality: 0, none: 0 }
  #papers = 0
  #foundEarlier = 0
  #starred = 0
  #oneSourceKnown = 0

  /** @param unlisted papers that were excluded automatically and are not among the records */
  constructor (unlisted: readonly UnlistedRecords[]) {
    this.#unlisted = unlisted
    for (const { sources, records } of unlisted) {
      this.#papers += records
      for (const source of sources) this.#addSource(source, records)
    }
  }

  add (
    { decision, vote, reason, found_by, found_earlier, source }:
    Pick<SnapshotRecord, 'decision' | 'vote' | 'reason' | 'found_by' | 'found_earlier' | 'source'>
  ): void {
    this.#decisions[decision]++
    if (decision === 'excluded') this.#reasons[reason ?? 'none']++
    if (vote === 'star') this.#starred++
    if (found_earlier === true) {
      this.#foundEarlier++
      return
    }
    this.#papers++
    if (found_by === null) this.#oneSourceKnown++
    for (const each of found_by ?? [source]) this.#addSource(each, 1)
  }

  /** @param titleOf the title of a source or file format */
  flow (titleOf: (name: string) => string): PrismaFlow {
    const { included, included_unscreened, excluded, not_screened, excluded_automatically: listed } = this.#decisions
    const sources = [...this.#bySource].map(([name, records]) => ({ name, title: titleOf(name), records }))
      .sort((a, b) => b.records - a.records || (a.name < b.name ? -1 : 1))
    const records = sources.reduce((sum, each) => sum + each.records, 0)
    return {
      identified: { records, sources, one_source_known: this.#oneSourceKnown },
      ...(this.#foundEarlier === 0 ? {} : { identified_earlier: this.#foundEarlier }),
      duplicates_removed: records - this.#papers,
      excluded_automatically: { records: listed + this.#unlisted.reduce((sum, each) => sum + each.records, 0), listed },
      screened: included + excluded,
      not_screened,
      excluded: {
        records: excluded,
        reasons: (['not_relevant', 'low_quality', 'none'] as const).map(reason => ({ reason, records: this.#reasons[reason] }))
      },
      included: { records: included, starred: this.#starred },
      ...(included_unscreened === 0 ? {} : { included_unscreened }),
      reports_sought: null,
      reports_not_retrieved: null,
      reports_assessed: null
    }
  }

  #addSource (name: string, records: number): void {
    this.#bySource.set(name, (this.#bySource.get(name) ?? 0) + records)
  }
}

type FlowRow = [stage: string, box: string, records: number | null]

/** The boxes of the PRISMA 2020 diagram, as rows of a table. */
export function flowRows (flow: PrismaFlow): FlowRow[] {
  const { identified, duplicates_removed, excluded_automatically, excluded, included } = flow
  const reasonTitles = { not_relevant: 'not relevant', low_quality: 'low quality', none: 'no reason given' }
  return [
    ['Identification', 'Records identified', identified.records],
    ...identified.sources.map(({ title, records }): [string, string, number] =>
      ['Identification', `Records identified: ${title}`, records]),
    ['Identification', 'Duplicate records removed', duplicates_removed],
    ...(flow.identified_earlier === undefined
      ? []
      : [['Identification', 'Records identified in earlier periods, added in this one', flow.identified_earlier] satisfies FlowRow]),
    ['Identification', 'Records excluded automatically (minimum score, excluded keyword or weekly limit)', excluded_automatically.records],
    ['Screening', 'Records screened', flow.screened],
    ['Screening', 'Records not screened yet', flow.not_screened],
    ['Screening', 'Records excluded', excluded.records],
    ...excluded.reasons.map(({ reason, records }): [string, string, number] =>
      ['Screening', `Records excluded: ${reasonTitles[reason]}`, records]),
    ['Screening', 'Reports sought for retrieval', flow.reports_sought],
    ['Screening', 'Reports not retrieved', flow.reports_not_retrieved],
    ['Screening', 'Reports assessed for eligibility', flow.reports_assessed],
    ['Included', 'Studies included', included.records],
    ...(flow.included_unscreened === undefined
      ? []
      : [['Included', 'Studies included from other sources, not screened', flow.included_unscreened] satisfies FlowRow])
  ]
}
