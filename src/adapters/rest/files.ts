import { Readable } from 'node:stream'
import { Type } from 'typebox'
import { citationFormats } from '../../papers/citations/formats.js'
import type { Send } from './send.js'

interface File { media_type: string, file_name: string, text?: string, parts?: AsyncIterable<string> }

/** Sends references as a file to save. */
export const sendFile: Send = ({ media_type, file_name, text, parts }: File, _request, reply) =>
  reply.type(media_type).header('content-disposition', `attachment; filename="${file_name}"`).send(text ?? Readable.from(parts!))

sendFile.responses = {
  200: { description: 'The references.', content: Object.fromEntries(citationFormats.map(({ type }) => [type.split(';', 1)[0], { schema: Type.String() }])) }
}
