import { createHash, createHmac, randomBytes } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { minuteMs } from '../../schemas/durations.js'
import { type Db, writeIfWritable } from '../../db/connection.js'
import { findKey, markKeyUsed, recordKeyClient } from '../../db/queries/keys.js'
import type { KeyScope } from '../../schemas/key.js'
import { isSameSecret } from '../input/same-secret.js'
import { hashSecret, verifySecret } from './argon2.js'
import { randomText } from './random.js'

const form = /^svcmcp_([0-9A-Za-z]{1,32})_([0-9A-Za-z]{1,128})$/

/** How long a verification is cached. Revoked keys stop working within this time, and expired ones at once. */
const cacheMs = 900
/** Precision of last_used_at. Coarse, so reads do not cause a write each. */
const lastUsedPrecisionMs = minuteMs
/**
 * Wrong secrets of a key that are verified with argon2 in a minute. The holder of a key can compute other secrets with the same four check
 * bytes; beyond this number, they are rejected without a run.
 */
const maxWrongSecretsPerMinute = 5
/** Recorded clients per key and minute, so that a client that changes its name with each request causes few writes. */
const maxClientsPerMinute = 6

/** A new key and the columns of its row. */
export interface NewKey { key: string, prefix: string, secret_hash: string, secret_check: Buffer }

/** Generates a key: a key prefix, which is public, and a secret of 190 random bits. The row contains only hashes. */
export async function mintKey (): Promise<NewKey> {
  const keyPrefix = randomText(10)
  const secret = randomText(32)
  return { key: `svcmcp_${keyPrefix}_${secret}`, prefix: keyPrefix, secret_hash: await hashSecret(secret), secret_check: checkOf(secret) }
}

/** Whether a credential is meant as a key, rather than as an access token. */
export const isKey = (credential: string): boolean => credential.startsWith('svcmcp_')

/** Returns the MCP endpoint with a key in it. @param baseUrl without a trailing slash */
export const mcpUrl = (baseUrl: string, key: string): string => `${baseUrl}/api/mcp/?key=${key}`

/** Formats a key for display, with its secret masked. */
export const maskKey = (keyPrefix: string): string => `svcmcp_${keyPrefix}_${'•'.repeat(8)}`

/** Rights of a key's holder. */
export interface KeyGrant {
  readonly id: string
  readonly name: string
  readonly scope: KeyScope
  /** The projects that it can see; null: all of the account's. */
  readonly projectIds: readonly string[] | null
}

/** The account and grant of a valid key. */
export interface VerifiedKey { accountId: string, key: KeyGrant }

/** How a client names itself. */
export interface Client { name: string, version: string | null }

/** Verifies MCP keys. */
export interface KeyVerifier {
  /**
   * Verifies a key.
   * @param unknownDb the database for keys that this process has not verified lately, which may be anything; default: that of the verifier
   * @returns undefined for unknown, revoked, expired and malformed keys
   */
  verify: (key: string, unknownDb?: Db) => Promise<VerifiedKey | undefined>
  /** Records the client that uses a key: when it changes, up to six times a minute. */
  recordClient: (caller: VerifiedKey, client: Client) => Promise<void>
}

interface CachedKey extends VerifiedKey { secretHash: string, until: number }

/**
 * Creates a verifier. argon2 runs once per key and process; afterwards a keyed hash identifies the key, and its row is read again when the
 * cache expires. Four stored bytes of a SHA-256 hash reject wrong secrets without an argon2 run, so floods are cheap.
 * @param elapsed monotonic clock in milliseconds; a clock that can be set back would extend the life of revoked keys
 */
export function keyVerifier (db: Db, now: () => Date, elapsed = () => performance.now()): KeyVerifier {
  const cache = new LRUCache<string, CachedKey>({ max: 10_000 })
  const running = new Map<string, Promise<VerifiedKey | undefined>>()
  const cacheKey = randomBytes(32)
  const recorded = new LRUCache<string, true>({ max: 10_000, ttl: lastUsedPrecisionMs })
  const recordedPerKey = new RateLimiterMemory({ points: maxClientsPerMinute, duration: lastUsedPrecisionMs / 1000 })
  const verifications = new RateLimiterMemory({ points: maxWrongSecretsPerMinute, duration: 60 })
  const nameOf = (key: string) => createHmac('sha256', cacheKey).update(key).digest('base64')

  interface Unverified { name: string, keyPrefix: string, secret: string }

  async function verifyAgainstRow ({ name, keyPrefix, secret }: Unverified, keyDb: Db): Promise<VerifiedKey | undefined> {
    const time = now()
    // Computed before the read, so a concurrent revocation also takes effect in time.
    const readAt = elapsed()
    const storedKey = await findKey(keyDb, keyPrefix)
    const msLeft = storedKey?.expires_at == null ? Infinity : storedKey.expires_at.getTime() - time.getTime()
    const row = msLeft > 0 ? storedKey : undefined
    const cached = cache.get(name)
    const isCached = row !== undefined && cached?.secretHash === row.secret_hash
    const isValid = isCached ||
      (row !== undefined && isSameSecret(checkOf(secret), row.secret_check) && await verifyHash(keyPrefix, row.secret_hash, secret))
    if (!isValid) {
      cache.delete(name)
      return undefined
    }
    const caller = { accountId: row.account_id, key: { id: row.id, name: row.name, scope: row.scope, projectIds: row.project_ids } }
    cache.set(name, { ...caller, secretHash: row.secret_hash, until: readAt + Math.min(cacheMs, msLeft) })
    if (row.last_used_at === null || time.getTime() - row.last_used_at.getTime() >= lastUsedPrecisionMs) {
      await writeIfWritable(markKeyUsed(db, row.account_id, keyPrefix, time))
    }
    return caller
  }

  /** Runs argon2, unless too many wrong secrets of the key did. */
  async function verifyHash (keyPrefix: string, hash: string, secret: string): Promise<boolean> {
    const mayRun = await verifications.consume(keyPrefix).then(() => true, () => false)
    if (!mayRun) return false
    try {
      const isRight = await verifySecret(hash, secret, { lane: 'key', origin: keyPrefix })
      if (isRight) await verifications.delete(keyPrefix)
      return isRight
    } catch (error) {
      // It was not checked: too many runs are waiting.
      await verifications.reward(keyPrefix)
      throw error
    }
  }

  return {
    async verify (key, unknownDb = db) {
      const [, keyPrefix, secret] = form.exec(key) ?? []
      if (keyPrefix === undefined || secret === undefined) return undefined
      const name = nameOf(key)
      const cached = cache.get(name)
      if (cached !== undefined && elapsed() < cached.until) return cached
      // Concurrent calls with one key share one verification.
      const started = running.get(name)
      if (started !== undefined) return await started
      // A known key is read again once in `cacheMs`, which needs no other limit.
      const keyDb = cached === undefined ? unknownDb : db
      const verification = verifyAgainstRow({ name, keyPrefix, secret }, keyDb).finally(() => running.delete(name))
      running.set(name, verification)
      return await verification
    },

    async recordClient ({ accountId, key: { id } }, { name, version }) {
      const use = JSON.stringify([id, name, version])
      if (recorded.has(use)) return
      const mayRecord = await recordedPerKey.consume(id).then(() => true, () => false)
      if (!mayRecord) return
      recorded.set(use, true)
      await writeIfWritable(recordKeyClient(db, accountId, id, { name, version }))
    }
  }
}

const checkOf = (secret: string) => createHash('sha256').update(secret).digest().subarray(0, 4)
