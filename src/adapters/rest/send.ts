import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends an operation's result in a format other than JSON. A table of routes does not know the types of results, so calls cast. */
export interface Send {
  (result: never, request: FastifyRequest, reply: FastifyReply): FastifyReply | Promise<FastifyReply>
  /** OpenAPI descriptions of the responses, by status. */
  responses: Readonly<Record<number, object>>
}
