import { createHmac, randomBytes } from 'node:crypto'
import { dayMs } from '../../schemas/durations.js'
import { isSameSecret } from '../input/same-secret.js'

/** How long a device counts as known after its last login. */
export const deviceLifetimeMs = 90 * dayMs

/**
 * Tokens of devices on which an account has signed in. They spare its logins from limits that strangers exhaust, and prove nothing else.
 */
export interface DeviceTokens {
  /** Makes the token of a device, for a cookie. It does not contain the email address. */
  mint: (email: string, now: Date) => string
  /** Returns the id of a device of this account; undefined if the token is invalid, expired or another account's. */
  read: (token: string, email: string, now: Date) => string | undefined
}

const form = /^([\w-]{16})\.([0-9a-z]{1,11})\.([\w-]{43})$/

/** Creates the device tokens of a service. @see https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies */
export function deviceTokens (secret: Uint8Array): DeviceTokens {
  const proofOf = (id: string, expires: string, email: string) =>
    createHmac('sha256', secret).update(`${id}.${expires}.${email}`).digest('base64url')
  return {
    mint (email, now) {
      const id = randomBytes(12).toString('base64url')
      const expires = (now.getTime() + deviceLifetimeMs).toString(36)
      return `${id}.${expires}.${proofOf(id, expires, email)}`
    },
    read (token, email, now) {
      const [, id, expires, proof] = form.exec(token) ?? []
      if (id === undefined || expires === undefined || proof === undefined || parseInt(expires, 36) < now.getTime()) return undefined
      return isSameSecret(proof, proofOf(id, expires, email)) ? id : undefined
    }
  }
}
