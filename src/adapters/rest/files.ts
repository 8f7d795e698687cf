import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { exportFormats } from '../../papers/citations/export-formats.js'
import { citationFormats } from '../../papers/citations/formats.js'
import type { Send } from './send.js'

interface File { media_type: string, file_name: string, text?: string, parts?: AsyncIterable<string | Buffer> }

const send = ({ media_type, file_name, text, parts }: File, reply: FastifyReply) =>
  reply.type(media_type).header('content-disposition', `attachment; filename="${file_name}"`).send(text ?? Readable.from(parts!))

/** Sends a file to save. */
const sendFile = (description: string, content: object): Send => Object.assign(
  (file: File, _request: FastifyRequest, reply: FastifyReply) => send(file, reply),
  { responses: { 200: { description, content } } }
)

/** Sends references in one of several formats. */
const sendReferences = (formats: ReadonlyArray<{ type: string }>): Send =>
  sendFile('The references.', Object.fromEntries(formats.map(({ type }) => [type.split(';', 1)[0], { schema: Type.String() }])))

/** Sends the references of a feed. */
export const sendExport = sendReferences(exportFormats)
/** Sends the reference of a paper. */
export const sendCitation = sendReferences(citationFormats)

/** Sends everything of an account. */
export const sendArchive = sendFile('The account.', { 'application/json': { schema: Type.Object({}) } })

/** Sends an archive of several files. */
export const sendZip = sendFile('The archive.', { 'application/zip': { schema: Type.String() } })
