import { LRUCache } from 'lru-cache'
import { countOwnPapers } from '../../db/queries/import.js'
import type { Db } from '../../db/connection.js'
import { QuotaExceeded } from '../errors/operation-errors.js'
import { formatQuantity } from '../input/validator.js'

/** Papers that accounts own. Counting reads an index entry for each, so a count holds for some seconds, with what was added since. */
const counts = new LRUCache<string, number>({ max: 1000, ttl: 10_000 })

/**
 * Counts papers that the account is about to own. Counts the stored ones again before it refuses: some may have been deleted, or their
 * transaction rolled back.
 * @param db a transaction that holds the lock of the account's papers
 * @throws QuotaExceeded if there would be more than `maxPapers`
 */
export async function reservePapers (db: Db, accountId: string, added: number, maxPapers: number): Promise<void> {
  if (added === 0) return
  const known = counts.get(accountId)
  const isKnown = known !== undefined && known + added <= maxPapers
  const count = isKnown ? known : await countOwnPapers(db, accountId)
  if (count + added > maxPapers) {
    counts.set(accountId, count)
    throw tooManyPapers(maxPapers)
  }
  counts.set(accountId, count + added, { noUpdateTTL: isKnown })
}

/** Refuses work that adds papers of its own to an account without room for any. @throws QuotaExceeded */
export async function requirePaperQuota (db: Db, accountId: string, maxPapers: number): Promise<void> {
  let count = counts.get(accountId)
  if (count === undefined) {
    count = await countOwnPapers(db, accountId)
    counts.set(accountId, count)
  }
  if (count >= maxPapers) throw tooManyPapers(maxPapers)
}

function tooManyPapers (maxPapers: number): QuotaExceeded {
  const papers = formatQuantity(maxPapers, 'paper')
  const limit = `Your account can store ${papers} from files, Zotero and journal feeds, and these would be more.`
  return new QuotaExceeded(`${limit} Delete projects with such papers, or ask the operator to raise MAX_PAPERS.`, {
    userMessage: `${limit} Delete projects with such papers, or ask your administrator for more space.`
  })
}
