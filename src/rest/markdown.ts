import type { MarkdownAnswer } from '../../schemas/markdown.js'
import type { Send } from './send.js'

const status = { ready: 200, queued: 202, unavailable: 404 } as const

/** The text itself when it is ready, unless JSON is asked for; else the specification's object. Source: contract, section 5. */
export const sendMarkdown: Send = (result: MarkdownAnswer, { headers: { accept = '' } }, reply) => {
  reply.code(status[result.status]).header('vary', 'accept')
  const wantsJson = /\bapplication\/json\b/.test(accept) && !/\btext\/markdown\b/.test(accept)
  if (result.status !== 'ready' || wantsJson) return reply.send(result)
  return reply.type('text/markdown; charset=utf-8').send(result.markdown)
}
