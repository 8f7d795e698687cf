import type { Db } from '../../db/connection.js'
import { SerializationConflict } from '../../db/errors.js'
import type { PaperRecord } from '../../schemas/paper.js'
import type { Relevance } from '../../schemas/relevance.js'
import type { Placement } from './ingest.js'

/** How a project's papers are scored by the settings and the model that it had at one moment. */
export interface ProjectScoring {
  score: (records: readonly PaperRecord[]) => Promise<Relevance[]>
  /** Whether a paper with this relevance enters the feed. */
  entersFeed: Placement['entersFeed']
  /** Called first in a transaction, to lock the settings. @returns false if they or the model have changed */
  lock: (transaction: Db) => Promise<boolean>
}

/** Scores by which a transaction places the papers that it stores. */
export interface Scored {
  /** The relevance of each record. Rolls the transaction back, to score records that have not been scored. */
  relevancesOf: (records: readonly PaperRecord[]) => Relevance[]
  entersFeed: Placement['entersFeed']
}

/** Where and how records are scored and stored. */
export interface ScoredTransaction {
  openScoring: () => Promise<ProjectScoring>
  inTransaction: <T>(run: (transaction: Db) => Promise<T>) => Promise<T>
  signal?: AbortSignal | undefined
}

/** Attempts at a transaction, while others keep changing the settings of the project. */
const maxAttempts = 5

/** The scores of a transaction do not suffice. */
class ScoresOutdated extends Error {
  readonly unscored: readonly PaperRecord[]

  constructor (unscored: readonly PaperRecord[] = []) {
    super('The scores must be computed again.')
    this.unscored = unscored
  }
}

/**
 * Stores records in a transaction, with scores that were computed before it: scoring takes long, and a transaction holds locks. Where the
 * scores turn out to be outdated or incomplete, the transaction is rolled back and repeated.
 * @throws SerializationConflict after the last attempt
 */
export async function storeScored<T> (
  { openScoring, inTransaction, signal }: ScoredTransaction,
  records: readonly PaperRecord[],
  store: (transaction: Db, scored: Scored) => Promise<T>
): Promise<T> {
  const toScore = [...records]
  let scoring = await openScoring()
  let relevances: Relevance[] = []
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    signal?.throwIfAborted()
    const { score, entersFeed, lock } = scoring
    relevances = [...relevances, ...await score(toScore.slice(relevances.length))]
    const relevancesOf = lookUpRelevance(toScore, relevances)
    try {
      return await inTransaction(async transaction => {
        if (!await lock(transaction)) throw new ScoresOutdated()
        return await store(transaction, { relevancesOf, entersFeed })
      })
    } catch (error) {
      if (!(error instanceof ScoresOutdated)) throw error
      if (error.unscored.length > 0) toScore.push(...error.unscored)
      else [scoring, relevances] = [await openScoring(), []]
    }
  }
  throw new SerializationConflict()
}

/** Records of another attempt are other objects with the same texts. */
function lookUpRelevance (records: readonly PaperRecord[], relevances: readonly Relevance[]): Scored['relevancesOf'] {
  const byRecord = new Map(records.map((record, at) => [record, relevances[at]!]))
  const byText = new Map(records.map((record, at) => [textOf(record), relevances[at]!]))
  const relevanceOf = (record: PaperRecord) => byRecord.get(record) ?? byText.get(textOf(record))
  return wanted => {
    const unscored = wanted.filter(record => relevanceOf(record) === undefined)
    if (unscored.length > 0) throw new ScoresOutdated(unscored)
    return wanted.map(record => relevanceOf(record)!)
  }
}

const textOf = ({ title, abstract }: PaperRecord): string => `${title}\n${abstract ?? ''}`
