import type { FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { hourMs } from '../../schemas/durations.js'
import { RateLimited } from '../errors/operation-errors.js'

/** More than a client starts at a time; what waits has not been read. */
const maxWaitingPerAccount = 200
const maxWaitMs = 30_000
/**
 * A slot whose connection closed is freed after this time even if its handler never settles. It is longer than any operation takes, since
 * the work of an abandoned request goes on.
 */
const maxOrphanMs = hourMs

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Waits for one of the account's slots. The slot is released once the request is processed and its response sent or its connection
     * closed. Unread responses and abandoned requests therefore count.
     * @throws RateLimited if too many requests of the account wait, or this one waited too long
     */
    admitRequest: (accountId: string, request: FastifyRequest, reply: FastifyReply) => Promise<void>
  }
}

interface Waiting { start: () => void, giveUp: () => void }
interface AccountSlots { active: number, waiting: Set<Waiting> }
interface Slot { isAnswered: boolean, isClosed: boolean, orphanTimer: NodeJS.Timeout | undefined, release: () => void }

/** Limits concurrent requests per account, over all adapters, in this process. */
export default fp<{ maxConcurrentRequests: number }>(async function limitConcurrency (fastify, { maxConcurrentRequests }) {
  const accounts = new Map<string, AccountSlots>()
  const slots = new WeakMap<FastifyRequest, Slot>()

  async function acquire (account: AccountSlots, reply: FastifyReply): Promise<void> {
    if (account.active < maxConcurrentRequests) {
      account.active++
      return
    }
    if (account.waiting.size >= maxWaitingPerAccount) throw tooMany()
    await new Promise<void>((resolve, reject) => {
      const end = (settle: () => void) => () => {
        clearTimeout(timer)
        reply.raw.off('close', waiting.giveUp)
        account.waiting.delete(waiting)
        settle()
      }
      const waiting: Waiting = { start: end(resolve), giveUp: end(() => reject(tooMany())) }
      const timer = setTimeout(waiting.giveUp, maxWaitMs)
      reply.raw.once('close', waiting.giveUp)
      account.waiting.add(waiting)
    })
  }

  function release (accountId: string, account: AccountSlots): void {
    const [next] = account.waiting
    // The slot passes on, so a new request cannot overtake one that waits.
    if (next !== undefined) return next.start()
    account.active--
    if (account.active === 0) accounts.delete(accountId)
  }

  fastify.decorate('admitRequest', async (accountId: string, request: FastifyRequest, reply: FastifyReply) => {
    // Its handler would run without a slot.
    if (reply.raw.destroyed) throw tooMany()
    const account = accounts.get(accountId) ?? { active: 0, waiting: new Set() }
    accounts.set(accountId, account)
    await acquire(account, reply)
    let isReleased = false
    const slot: Slot = {
      isAnswered: false,
      isClosed: false,
      orphanTimer: undefined,
      release () {
        if (isReleased) return
        isReleased = true
        clearTimeout(slot.orphanTimer)
        release(accountId, account)
      }
    }
    slots.set(request, slot)
    reply.raw.once('close', () => {
      slot.isClosed = true
      if (slot.isAnswered) slot.release()
      else slot.orphanTimer = setTimeout(slot.release, maxOrphanMs).unref()
    })
  })

  // Fastify calls it when the handler has settled, also for a closed connection or an upload that ended early.
  fastify.addHook('onSend', async request => {
    const slot = slots.get(request)
    if (slot === undefined) return
    slot.isAnswered = true
    if (slot.isClosed) slot.release()
  })
}, { name: 'concurrency', fastify: '5.x' })

const tooMany = () => new RateLimited(5, 'Your account has too many concurrent requests. Wait for earlier responses.')
