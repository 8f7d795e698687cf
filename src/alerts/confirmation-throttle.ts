import { RateLimiterMemory } from 'rate-limiter-flexible'
import { addressOf } from '../../db/queries/unsubscriptions.js'

/** Limits confirmation mails to one a day for each address, however often it is registered. */
export interface ConfirmationThrottle {
  /** Counts a mail. @returns whether it may be sent */
  admit: (address: string) => Promise<boolean>
  /** Takes back the count of a mail that was not sent. */
  forget: (address: string) => Promise<void>
}

const windowSeconds = 24 * 60 * 60

/** Counts in memory, which a restart clears: nobody who registers an address can cause one. */
export function confirmationThrottle (): ConfirmationThrottle {
  const asked = new RateLimiterMemory({ points: 1, duration: windowSeconds })
  return {
    admit: async address => await asked.consume(addressOf(address)).then(() => true, () => false),
    forget: async address => { await asked.delete(addressOf(address)) }
  }
}
