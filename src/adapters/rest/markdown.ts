import { Type } from 'typebox'
import { ErrorBody } from '../../../schemas/errors.js'
import { type MarkdownAnswer, MarkdownResult } from '../../../schemas/markdown.js'
import type { Send } from './send.js'

const status = { ready: 200, queued: 202, unavailable: 404 } as const

/** Sends the text itself when it is ready, unless the client asks for JSON; otherwise the specification's object. */
export const sendMarkdown: Send = (result: MarkdownAnswer, { headers: { accept = '' } }, reply) => {
  reply.code(status[result.status]).header('vary', 'accept')
  const wantsJson = /\bapplication\/json\b/.test(accept) && !/\btext\/markdown\b/.test(accept)
  if (result.status !== 'ready' || wantsJson) return reply.send(result)
  return reply.type('text/markdown; charset=utf-8').send(result.markdown)
}

sendMarkdown.responses = {
  200: { description: 'The text, or the object with it where JSON is asked for.', content: { 'text/markdown': { schema: Type.String() }, 'application/json': { schema: MarkdownResult } } },
  202: { ...MarkdownResult, description: 'Queued: ask again later.' },
  404: { description: 'No full text is known (the object with status "unavailable"), or no such paper (an error).', content: { 'application/json': { schema: Type.Union([MarkdownResult, ErrorBody]) } } }
}
