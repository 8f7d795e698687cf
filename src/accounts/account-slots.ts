import pLimit, { type LimitFunction } from 'p-limit'
import { RateLimited } from '../errors/operation-errors.js'

/** Bounds of work that accounts share. */
export interface AccountSlotsOptions {
  /** Names the work in messages, such as "preview". */
  name: string
  /** Calls that run at a time, of all accounts. */
  running: number
  /** Calls of one account, running and waiting; one of them runs at a time. */
  perAccount: number
  /** Calls that wait, of all accounts. */
  waiting: number
}

/** Runs a call of an account in a slot. @throws RateLimited if too many wait */
export type AccountSlots = <T>(accountId: string, call: () => Promise<T>) => Promise<T>

const retryAfterSeconds = 10

/** Limits concurrency of expensive calls: a few in all, one per account. */
export function accountSlots ({ name, running, perAccount, waiting }: AccountSlotsOptions): AccountSlots {
  const shared = pLimit(running)
  const accounts = new Map<string, LimitFunction>()
  let waitingCalls = 0
  return async (accountId, call) => {
    const own = accounts.get(accountId) ?? pLimit(1)
    if (own.activeCount + own.pendingCount >= perAccount) {
      throw new RateLimited(retryAfterSeconds, `You already have ${perAccount} ${name}${perAccount === 1 ? '' : 's'} in progress.`)
    }
    if (waitingCalls >= waiting) throw new RateLimited(retryAfterSeconds, `Too many ${name}s are in progress.`)
    accounts.set(accountId, own)
    waitingCalls++
    try {
      return await own(() => shared(() => {
        waitingCalls--
        return call()
      }))
    } finally {
      if (own.activeCount + own.pendingCount === 0) accounts.delete(accountId)
    }
  }
}
