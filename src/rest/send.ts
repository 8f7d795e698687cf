import type { FastifyReply, FastifyRequest } from 'fastify'

/** Sends an operation's result in a form of its own. */
export type Send = (result: any, request: FastifyRequest, reply: FastifyReply) => FastifyReply
