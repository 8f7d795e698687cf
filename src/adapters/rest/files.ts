import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { exportFormats } from '../../papers/citations/export-formats.js'
import { citationFormats } from '../../papers/citations/formats.js'
import type { Send } from './send.js'

interface File { media_type: string, file_name: string, text?: string, parts?: AsyncIterable<string | Buffer> }

const send = ({ media_type, file_name, text, parts }: File, reply: FastifyReply) =>
  reply.type(media_type).header('content-disposition', `attachment; filename="${file_name}"`).send(text ?? Readable.from(parts!))

/** Sends references in one of several formats as a file to save. */
const sendReferences = (formats: ReadonlyArray<{ type: string }>): Send => Object.assign(
  (file: File, _request: FastifyRequest, reply: FastifyReply) => send(file, reply),
  {
    responses: {
      200: {
        description: 'The references.',
        content: Object.fromEntries(formats.map(({ type }) => [type.split(';', 1)[0], { schema: Type.String() }]))
      }
    }
  }
)

/** Sends the references of a feed. */
export const sendExport = sendReferences(exportFormats)
/** Sends the reference of a paper. */
export const sendCitation = sendReferences(citationFormats)

/** Sends everything of an account as a file to save. */
export const sendArchive: Send = (file: File, _request, reply) => send(file, reply)

sendArchive.responses = { 200: { description: 'The account.', content: { 'application/json': { schema: Type.Object({}) } } } }

/** Sends an archive of several files to save. */
export const sendZip: Send = (file: File, _request, reply) => send(file, reply)

sendZip.responses = { 200: { description: 'The archive.', content: { 'application/zip': { schema: Type.String() } } } }
