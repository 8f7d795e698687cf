import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { RateLimited } from '../errors/operation-errors.js'
import { allowLongBody } from './http-server.js'

/** Concurrent uploads per account in this process. */
const maxUploads = 2

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Reserves an upload slot until the response ends or the connection closes, and gives the upload time for a slow connection. Slots
     * bound the disk space of files that are not stored yet.
     * @throws RateLimited if the account has no free slot
     */
    admitUpload: (accountId: string, reply: FastifyReply) => void
  }
}

/** Limits concurrent uploads per account. */
export default fp(async function limitUploads (fastify) {
  const active = new Map<string, number>()
  fastify.decorate('admitUpload', (accountId: string, reply: FastifyReply) => {
    // The client disconnected during authentication, and `close` was already emitted.
    if (reply.raw.destroyed) return
    const uploads = active.get(accountId) ?? 0
    if (uploads >= maxUploads) {
      throw new RateLimited(5, `Your account is already uploading ${maxUploads} files. Wait until one of them is done.`)
    }
    active.set(accountId, uploads + 1)
    allowLongBody(reply.request.raw)
    reply.raw.once('close', () => {
      const remaining = active.get(accountId)! - 1
      if (remaining === 0) active.delete(accountId)
      else active.set(accountId, remaining)
    })
  })
}, { name: 'uploads', fastify: '5.x' })
