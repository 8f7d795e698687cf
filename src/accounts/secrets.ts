import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The keys of the service, each derived for one purpose, so that none can stand in for another. */
export interface Secrets {
  accessToken: Uint8Array
  refreshToken: Uint8Array
  feedToken: Uint8Array
  webhook: Uint8Array
  csrfToken: Uint8Array
  /** Shown to the operator while there is no account; every process on one database has the same. */
  setupToken: string
}

/** @see RFC 5869 */
export function deriveSecrets (jwtSecret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', jwtSecret, '', `litfeed ${purpose}`, 32))
  return {
    accessToken: derive('access token'),
    refreshToken: derive('refresh token'),
    feedToken: derive('feed token'),
    webhook: derive('webhook'),
    csrfToken: derive('form proof'),
    setupToken: Buffer.from(derive('set-up token')).toString('hex').slice(0, 32)
  }
}

const form = /^[0-9a-f]{64}$/

/**
 * The secret kept in the data directory, made on first use. Several processes may ask at once: the first one's stays. It comes under its name
 * whole, since with half a secret, or none, anybody could sign tokens.
 */
export function loadOrCreateSecret (dataDir: string): string {
  const file = join(dataDir, 'jwt-secret')
  const kept = read(file)
  if (kept !== undefined) return kept
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const making = `${file}-${randomBytes(6).toString('hex')}`
  try {
    writeFileSync(making, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx', flush: true })
    linkSync(making, file)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  } finally {
    rmSync(making, { force: true })
  }
  return read(file)!
}

function read (file: string): string | undefined {
  try {
    const secret = readFileSync(file, 'utf8').trim()
    if (!form.test(secret)) throw new Error(`${file} is damaged: it holds no secret of 64 hex digits. Remove it, and a new one is made; everybody has to log in again.`)
    return secret
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}
