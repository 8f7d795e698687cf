import { hkdfSync, randomBytes } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The keys of the service, each derived for one purpose, so that none can stand in for another. */
export interface Secrets {
  accessToken: Uint8Array
  feedToken: Uint8Array
  webhook: Uint8Array
  formProof: Uint8Array
  /** Shown to the operator while there is no account; every process on one database has the same. */
  setupToken: string
}

/** @see RFC 5869 */
export function deriveSecrets (jwtSecret: string): Secrets {
  const derive = (purpose: string) => new Uint8Array(hkdfSync('sha256', jwtSecret, '', `litfeed ${purpose}`, 32))
  return {
    accessToken: derive('access token'),
    feedToken: derive('feed token'),
    webhook: derive('webhook'),
    formProof: derive('form proof'),
    setupToken: Buffer.from(derive('set-up token')).toString('hex').slice(0, 32)
  }
}

/** The secret kept in the data directory, made on first use. Several processes may ask at once: the first one's stays. */
export function keptSecret (dataDir: string): string {
  const file = join(dataDir, 'jwt-secret')
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') throw cause
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  try {
    writeFileSync(file, `${randomBytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
  return readFileSync(file, 'utf8').trim()
}
