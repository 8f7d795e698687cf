import { RateLimiterMemory } from 'rate-limiter-flexible'
import { countUse } from '../errors/rate-limited.js'

const windowSeconds = 15 * 60
/** Requests and uses of links per window. */
const maxPerAddress = 20
const maxPerEmail = 5

/** Limits password resets per IP address and email address. Unknown addresses count too, so the limit does not reveal accounts. */
export interface ResetThrottle {
  /** @throws RateLimited */
  count: (caller: { address: string, email?: string }) => Promise<void>
}

/** Creates the throttle of this process. */
export function resetThrottle (): ResetThrottle {
  const addresses = new RateLimiterMemory({ points: maxPerAddress, duration: windowSeconds })
  const emails = new RateLimiterMemory({ points: maxPerEmail, duration: windowSeconds })
  return {
    async count ({ address, email }) {
      // The address comes first: a limited address must not use up what others may do.
      await countUse(addresses, address)
      if (email !== undefined) await countUse(emails, email)
    }
  }
}
