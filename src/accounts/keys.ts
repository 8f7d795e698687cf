import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { type Db, writeInPassing } from '../../db/connection.js'
import { findKey, markKeyUsed } from '../../db/queries/keys.js'
import { hash, matches } from './argon2.js'
import { randomText } from './random.js'

const form = /^svcmcp_([0-9A-Za-z]{1,32})_([0-9A-Za-z]{1,128})$/

/** How long a verified key is believed before its row is read again: the bound within which a revoked key stops working. */
const believedFor = 900
/** last_used_at is kept to the minute, so that reading does not become writing. */
const usedResolution = 60_000

export interface NewKey { key: string, prefix: string, secret_hash: string, secret_check: Buffer }

/** A new key: a prefix to find it by, and a secret of 190 random bits. The row holds no way back to the secret. */
export async function mintKey (): Promise<NewKey> {
  const prefix = randomText(10)
  const secret = randomText(32)
  return { key: `svcmcp_${prefix}_${secret}`, prefix, secret_hash: await hash(secret), secret_check: checkOf(secret) }
}

/** The key as it may be shown: without its secret. */
export const maskKey = (prefix: string): string => `svcmcp_${prefix}_${'•'.repeat(8)}`

export interface Caller { accountId: string, prefix: string }

export interface KeyVerifier { verify: (key: string) => Promise<Caller | undefined> }

interface Believed extends Caller { secretHash: string, until: number }

/**
 * Verifies keys. argon2 runs once for a key in a process; afterwards the key is remembered by a keyed hash, and its row is read
 * again every second. A wrong secret is told by four stored bytes of its hash, so that a flood of them costs no argon2 run.
 * @param elapsed milliseconds of a clock that is never set back: with one that is, a revoked key would be believed for longer
 */
export function keyVerifier (db: Db, now: () => Date, elapsed = () => performance.now()): KeyVerifier {
  const memory = new LRUCache<string, Believed>({ max: 10_000 })
  const running = new Map<string, Promise<Caller | undefined>>()
  const memoryKey = randomBytes(32)
  const nameOf = (key: string) => createHmac('sha256', memoryKey).update(key).digest('base64')

  async function readAgain (name: string, prefix: string, secret: string): Promise<Caller | undefined> {
    const time = now()
    // Taken before the row is read: what is revoked from here on is noticed within the bound.
    const until = elapsed() + believedFor
    const row = await findKey(db, prefix)
    const before = memory.get(name)
    const known = row !== undefined && before?.secretHash === row.secret_hash
    const right = known || (row !== undefined && timingSafeEqual(row.secret_check, checkOf(secret)) && await matches(row.secret_hash, secret))
    if (!right) {
      memory.delete(name)
      return undefined
    }
    const caller = { accountId: row.account_id, prefix }
    memory.set(name, { ...caller, secretHash: row.secret_hash, until })
    if (row.last_used_at === null || time.getTime() - row.last_used_at.getTime() >= usedResolution) await writeInPassing(markKeyUsed(db, row.account_id, prefix, time))
    return caller
  }

  return {
    async verify (key) {
      const [, prefix, secret] = form.exec(key) ?? []
      if (prefix === undefined || secret === undefined) return undefined
      const name = nameOf(key)
      const believed = memory.get(name)
      if (believed !== undefined && elapsed() < believed.until) return believed
      // Calls that come at once with one key share one look.
      const started = running.get(name)
      if (started !== undefined) return await started
      const look = readAgain(name, prefix, secret).finally(() => running.delete(name))
      running.set(name, look)
      return await look
    }
  }
}

const checkOf = (secret: string) => createHash('sha256').update(secret).digest().subarray(0, 4)
