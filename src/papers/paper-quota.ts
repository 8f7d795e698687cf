import { LRUCache } from 'lru-cache'
import { countOwnPapers } from '../../db/queries/import.js'
import { countFeedItems } from '../../db/queries/tally.js'
import type { Db } from '../../db/connection.js'
import { QuotaExceeded } from '../errors/operation-errors.js'
import { formatQuantity } from '../input/validator.js'

/** Items of an account's feeds for each paper that it may own. */
const itemsPerPaper = 5

/** What an account has of one kind. */
interface Counted {
  count: (db: Db, accountId: string) => Promise<number>
  exceeded: (max: number) => QuotaExceeded
  /** Counting reads an index entry for each, so a count holds for some seconds, with what was added since. */
  known: LRUCache<string, number>
}

const papers: Counted = {
  count: countOwnPapers,
  exceeded (max) {
    const limit = `Your account can store at most ${formatQuantity(max, 'paper')} from files, Zotero and journal feeds; this would exceed the limit.`
    return new QuotaExceeded(`${limit} Delete projects with such papers, or ask the operator to raise MAX_PAPERS.`, {
      userMessage: `${limit} Delete projects with such papers, or ask your administrator for more space.`
    })
  },
  known: new LRUCache({ max: 1000, ttl: 10_000 })
}

const items: Counted = {
  count: countFeedItems,
  exceeded (max) {
    const limit = `Your feeds together can have at most ${formatQuantity(max, 'paper')}; this would exceed the limit.`
    return new QuotaExceeded(`${limit} Delete projects, or ask the operator to raise MAX_PAPERS.`, {
      userMessage: `${limit} Delete projects, or ask your administrator for more space.`
    })
  },
  known: new LRUCache({ max: 1000, ttl: 10_000 })
}

/**
 * Counts papers that the account is about to own.
 * @param db a transaction that holds the lock of the account's papers
 * @throws QuotaExceeded if there would be more than `maxPapers`
 */
export const reservePapers = async (db: Db, accountId: string, added: number, maxPapers: number): Promise<void> =>
  await reserve(papers, db, accountId, added, maxPapers)

/**
 * Counts items that are about to enter feeds of the account.
 * @param db a transaction that holds the lock of the account's papers
 * @throws QuotaExceeded if there would be more than five times `maxPapers`
 */
export const reserveItems = async (db: Db, accountId: string, added: number, maxPapers: number): Promise<void> =>
  await reserve(items, db, accountId, added, itemsPerPaper * maxPapers)

/** Counts the stored ones again before it refuses: some may have been deleted, or their transaction rolled back. */
async function reserve ({ count, exceeded, known }: Counted, db: Db, accountId: string, added: number, max: number): Promise<void> {
  if (added === 0) return
  const last = known.get(accountId)
  const hasRoom = last !== undefined && last + added <= max
  const counted = hasRoom ? last : await count(db, accountId)
  if (counted + added > max) {
    known.set(accountId, counted)
    throw exceeded(max)
  }
  known.set(accountId, counted + added, { noUpdateTTL: hasRoom })
}

/** Refuses work that adds papers of its own to an account without room for any. @throws QuotaExceeded */
export async function requirePaperQuota (db: Db, accountId: string, maxPapers: number): Promise<void> {
  let counted = papers.known.get(accountId)
  if (counted === undefined) {
    counted = await papers.count(db, accountId)
    papers.known.set(accountId, counted)
  }
  if (counted >= maxPapers) throw papers.exceeded(maxPapers)
}
