import { RateLimiterMemory } from 'rate-limiter-flexible'
import { addressOf } from '../../db/queries/unsubscriptions.js'

/** Limits the mails that ask somebody to confirm an account, one a day, whoever registers their address again and again. */
export interface ConfirmationThrottle {
  /** Counts a mail. @returns whether it may be sent */
  admit: (address: string) => Promise<boolean>
  /** Takes back the count of a mail that was not sent. */
  forget: (address: string) => Promise<void>
}

const windowSeconds = 24 * 60 * 60

/** Counts in memory: a restart forgets, but nobody who registers an address can cause one. */
export function confirmationThrottle (): ConfirmationThrottle {
  const asked = new RateLimiterMemory({ points: 1, duration: windowSeconds })
  return {
    admit: async address => await asked.consume(addressOf(address)).then(() => true, () => false),
    forget: async address => { await asked.delete(addressOf(address)) }
  }
}
