import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends an operation's result in a form of its own. */
export interface Send {
  (result: any, request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** What OpenAPI says of its answers, by status. */
  responses: Readonly<Record<number, object>>
}
