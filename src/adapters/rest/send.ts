import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends an operation's result in a format other than JSON. */
export interface Send {
  (result: any, request: FastifyRequest, reply: FastifyReply): FastifyReply
  /** OpenAPI descriptions of the responses, by status. */
  responses: Readonly<Record<number, object>>
}
