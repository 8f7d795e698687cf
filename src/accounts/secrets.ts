import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { errorCodeOf } from '../../schemas/thrown.js'
import { prepareDataDirectory } from '../../db/embedded/data-directory.js'

/** Keys of the service. Each is derived for one purpose, so none is valid for another. */
export interface Secrets {
  accessToken: Uint8Array
  refreshToken: Uint8Array
  feedToken: Uint8Array
  webhook: Uint8Array
  unsubscribe: Uint8Array
  csrfToken: Uint8Array
  deviceToken: Uint8Array
  sealedSecret: Uint8Array
  /** Shown to the operator while no account exists; identical in all processes of one database. */
  setupToken: string
}

/** Derives all keys from JWT_SECRET with HKDF-SHA-256 (RFC 5869). */
export function deriveSecrets (jwtSecret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', jwtSecret, '', `litfeed ${purpose}`, 32))
  return {
    accessToken: derive('access token'),
    refreshToken: derive('refresh token'),
    feedToken: derive('feed token'),
    webhook: derive('webhook'),
    unsubscribe: derive('unsubscribe'),
    csrfToken: derive('form proof'),
    deviceToken: derive('device token'),
    sealedSecret: derive('sealed secret'),
    setupToken: Buffer.from(derive('set-up token')).toString('hex').slice(0, 32)
  }
}

const form = /^[0-9a-f]{64}$/

/**
 * Loads the secret from `jwt-secret` in the data directory, or generates it on first use. Safe for concurrent processes: the file appears
 * complete, and the first one wins.
 * @throws Error if the file is damaged, since a truncated secret would let anyone sign tokens
 */
export function loadOrCreateSecret (dataDir: string): string {
  prepareDataDirectory(dataDir)
  const file = join(dataDir, 'jwt-secret')
  const existing = readSecret(file)
  if (existing !== undefined) return existing
  const temporary = `${file}-${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(temporary, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(temporary, file)
  } catch (cause) {
    if (errorCodeOf(cause) !== 'EEXIST') throw cause
  } finally {
    rmSync(temporary, { force: true })
  }
  return readSecret(file)!
}

function readSecret (file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (!form.test(secret)) {
      throw new Error(
        `${file} is damaged: it does not contain 64 hex digits. Remove it to generate a new secret; everyone then has to log in again.`
      )
    }
    return secret
  } catch (cause) {
    if (errorCodeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}
