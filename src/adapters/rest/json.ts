import type { FastifyReply } from 'fastify'
import { exceedsLength } from '../../../schemas/json-length.js'
import { ResultTooLarge } from '../../errors/operation-errors.js'
import { requireReader } from '../../server/abandoned-reads.js'
import { sendParts } from '../../server/json-parts.js'
import { serializeInPieces } from '../../server/json-pieces.js'
import { maxResponseLength } from '../../server/response-size.js'

/** Characters from which a result is serialized piece by piece: smaller ones take a few milliseconds. */
const minPiecewiseLength = 200_000

/**
 * Sends a result as JSON. A large one is serialized piece by piece, so that other requests run in between.
 * @param parameters of the operation, of which an error names those that page
 * @throws ResultTooLarge for more than the length of a response, RequestAbandoned if nobody waits for a large one
 */
export async function sendJson (reply: FastifyReply, result: unknown, parameters: string[] = []): Promise<FastifyReply> {
  if (!exceedsLength(result, minPiecewiseLength)) return reply.send(result)
  requireReader(reply)
  const json = await serializeInPieces(result, maxResponseLength)
  if (json === undefined) throw new ResultTooLarge(parameters)
  return sendParts(reply.type('application/json; charset=utf-8'), json)
}
