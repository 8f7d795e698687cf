import type { FastifyReply } from 'fastify'
import type { Db } from '../../db/connection.js'
import { RequestAbandoned } from '../errors/request-abandoned.js'

/** @throws RequestAbandoned if the client has closed its connection */
export function requireReader ({ raw }: FastifyReply): void {
  if (raw.destroyed) throw new RequestAbandoned()
}

/**
 * The context of a request that only reads, whose statements fail once its client has closed the connection: nobody receives the answer,
 * while what it would still cost holds up others. A request that changes something is never ended, since its client may count on it.
 */
export const whileRead = <C extends { db: Db }>(context: C, reply: FastifyReply): C => ({
  ...context,
  db: context.db.withPlugin({
    transformQuery ({ node }) {
      requireReader(reply)
      return node
    },
    transformResult: async ({ result }) => result
  })
})
