import { LRUCache } from 'lru-cache'
import { countOwnPapers } from '../../db/queries/import.js'
import type { ItemTexts } from '../../db/queries/item-state.js'
import { countFeedItems, countTextBytes } from '../../db/queries/tally.js'
import type { Db } from '../../db/connection.js'
import { QuotaExceeded } from '../errors/operation-errors.js'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'
import { formatQuantity } from '../input/validator.js'

/** Items of an account's feeds for each paper that it may own. */
const itemsPerPaper = 5

/** Bytes of the tags and notes of an account for each paper that it may own, at least and at most: a tally counts them in 32 bits. */
const [textBytesPerPaper, minTextBytes, maxTextBytes] = [512, 50 * bytesPerMebibyte, 1024 * bytesPerMebibyte]

/** Bytes of all records of an account for each paper that it may own, and at least: ordinary ones have about 4,000. */
const [bytesPerPaper, minBytes] = [10 * 1024, 100 * bytesPerMebibyte]

/** What an account has of one kind, in one or more measures. */
interface Counted<Measure extends string> {
  count: (db: Db, accountId: string) => Promise<Record<Measure, number>>
  max: (maxPapers: number) => Record<Measure, number>
  /** Describes what an account may have. */
  limits: Record<Measure, (max: number) => string>
  /** What to delete. */
  remedy: string
  /** Counting reads an index entry for each, so a count holds for some seconds, with what was added since. */
  known: LRUCache<string, Record<Measure, number>>
}

const papers: Counted<'papers' | 'bytes'> = {
  count: countOwnPapers,
  max: maxPapers => ({ papers: maxPapers, bytes: Math.max(minBytes, maxPapers * bytesPerPaper) }),
  limits: {
    papers: max => `Your account can store at most ${formatQuantity(max, 'paper')} from files, Zotero and journal feeds`,
    bytes: max => `The papers of your account from files, Zotero and journal feeds can have at most ${mebibytes(max)} together`
  },
  remedy: 'Delete projects with such papers',
  known: new LRUCache({ max: 1000, ttl: 10_000 })
}

const items: Counted<'items'> = {
  count: async (db, accountId) => ({ items: await countFeedItems(db, accountId) }),
  max: maxPapers => ({ items: itemsPerPaper * maxPapers }),
  limits: { items: max => `Your feeds together can have at most ${formatQuantity(max, 'paper')}` },
  remedy: 'Delete projects',
  known: new LRUCache({ max: 1000, ttl: 10_000 })
}

const texts: Counted<'bytes'> = {
  count: async (db, accountId) => ({ bytes: await countTextBytes(db, accountId) }),
  max: maxPapers => ({ bytes: Math.min(Math.max(minTextBytes, maxPapers * textBytesPerPaper), maxTextBytes) }),
  limits: { bytes: max => `Your notes and tags can have at most ${mebibytes(max)} together` },
  remedy: 'Shorten or delete notes',
  known: new LRUCache({ max: 1000, ttl: 10_000 })
}

/**
 * Counts papers that the account is about to own, and their bytes.
 * @param db a transaction that holds the lock of the account's papers
 * @throws QuotaExceeded if there would be more than `maxPapers`, or 10 KiB for each of those
 */
export const reservePapers = async (
  db: Db,
  accountId: string,
  added: { papers: number, bytes: number },
  maxPapers: number
): Promise<void> => await reserve(papers, db, accountId, added, maxPapers)

/**
 * Counts items that are about to enter feeds of the account.
 * @param db a transaction that holds the lock of the account's papers
 * @throws QuotaExceeded if there would be more than five times `maxPapers`
 */
export const reserveItems = async (db: Db, accountId: string, added: number, maxPapers: number): Promise<void> =>
  await reserve(items, db, accountId, { items: added }, maxPapers)

/**
 * Counts what the tags and the note of an item are about to gain. One that shrinks needs no room, nor does a merge of papers.
 * @throws QuotaExceeded if all of the account would have more than 512 bytes for each of `maxPapers`
 */
export const reserveTexts = async (
  db: Db,
  accountId: string,
  { stored, changed, maxPapers }: { stored: ItemTexts, changed: ItemTexts, maxPapers: number }
): Promise<void> => await reserve(texts, db, accountId, { bytes: Math.max(0, bytesOf(changed) - bytesOf(stored)) }, maxPapers)

const bytesOf = ({ tags, note }: ItemTexts) => Buffer.byteLength(tags.join('')) + Buffer.byteLength(note ?? '')

/** Counts the stored ones again before it refuses: some may have been deleted, or their transaction rolled back. */
async function reserve<Measure extends string> (
  counted: Counted<Measure>,
  db: Db,
  accountId: string,
  added: Record<Measure, number>,
  maxPapers: number
): Promise<void> {
  const measures = Object.keys(added) as Measure[]
  if (measures.every(measure => added[measure] === 0)) return
  const max = counted.max(maxPapers)
  const exceededBy = (present: Record<Measure, number>) =>
    measures.find(measure => added[measure] > 0 && present[measure] + added[measure] > max[measure])
  const last = counted.known.get(accountId)
  const hasRoom = last !== undefined && exceededBy(last) === undefined
  const present = hasRoom ? last : await counted.count(db, accountId)
  const measure = exceededBy(present)
  if (measure !== undefined) {
    counted.known.set(accountId, present)
    throw exceeded(counted, measure, max[measure])
  }
  const together = Object.fromEntries(measures.map(each => [each, present[each] + added[each]])) as Record<Measure, number>
  counted.known.set(accountId, together, { noUpdateTTL: hasRoom })
}

function exceeded<Measure extends string> ({ limits, remedy }: Counted<Measure>, measure: Measure, max: number): QuotaExceeded {
  const limit = `${limits[measure](max)}; this would exceed the limit.`
  return new QuotaExceeded(`${limit} ${remedy}, or ask the operator to raise MAX_PAPERS.`, {
    userMessage: `${limit} ${remedy}, or ask your administrator for more space.`
  })
}

/** Refuses work that adds papers of its own to an account without room for any. @throws QuotaExceeded */
export async function requirePaperQuota (db: Db, accountId: string, maxPapers: number): Promise<void> {
  const max = papers.max(maxPapers)
  const fullOf = (present: Record<'papers' | 'bytes', number>) =>
    (['papers', 'bytes'] as const).find(measure => present[measure] >= max[measure])
  const last = papers.known.get(accountId)
  if (last !== undefined && fullOf(last) === undefined) return
  const present = await papers.count(db, accountId)
  papers.known.set(accountId, present)
  const measure = fullOf(present)
  if (measure !== undefined) throw exceeded(papers, measure, max[measure])
}
