import type { PaperRecord } from '../../schemas/paper.js'

/** Bytes of the stored papers that one transaction reads, merges and writes again: others wait for the database meanwhile. */
export const maxMatchedBytes = 1_000_000
/** Items of feeds that change with the papers of one transaction: triggers copy dates to them, and have them indexed again. */
export const maxChangedItems = 1000

/** The records of a transaction do too much together. Rolls it back, to store them in several. */
export class BatchTooLarge extends Error {
  /** The number of transactions that would do. */
  readonly parts: number

  constructor (parts: number) {
    super('The records have to be stored in several transactions.')
    this.parts = parts
  }
}

/** @throws BatchTooLarge if several records do more together than a transaction may */
export function limitBatch (records: readonly PaperRecord[], amount: number, max: number): void {
  if (records.length > 1 && amount > max) throw new BatchTooLarge(Math.ceil(amount / max))
}
