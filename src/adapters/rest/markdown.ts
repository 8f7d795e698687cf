import Negotiator from 'negotiator'
import { type Static, Type } from 'typebox'
import { ErrorBody } from '../../../schemas/errors.js'
import { type MarkdownAnswer, type MarkdownPart, MarkdownResult } from '../../../schemas/markdown.js'
import { sendJson } from './json.js'
import type { Send } from './send.js'

const status = { ready: 200, queued: 202, unavailable: 404 } as const

/**
 * Sends the text if it is ready and the client does not ask for JSON; otherwise the result as JSON. A part is JSON unless the client asks
 * for Markdown. `next_offset` and the header Link point to the next part.
 */
export const sendMarkdown: Send = async (result: MarkdownAnswer, { url, headers: { accept } }, reply) => {
  reply.code(status[result.status]).header('vary', 'Origin, Accept')
  const isPart = 'next_offset' in result
  const types = isPart ? ['application/json', 'text/markdown'] : ['text/markdown', 'application/json']
  // A client that accepts neither gets the first.
  const [wanted = types[0]] = new Negotiator({ headers: { accept } }).mediaTypes(types)
  if (isPart && result.next_offset !== null) reply.header('link', `<${nextAddress(url, result)}>; rel="next"`)
  if (result.status !== 'ready' || wanted === 'application/json') return await sendJson(reply, result, ['paper_id', 'offset', 'max_chars'])
  return reply.type('text/markdown; charset=utf-8').send(result.markdown)
}

/**
 * Returns the address of the next part, without a key. It begins as that of the part on its page: a proxy may have taken a prefix from the
 * request's.
 */
function nextAddress (url: string, { url: page, next_offset }: Static<typeof MarkdownPart>): string {
  const base = page.slice(0, page.lastIndexOf('/papers/'))
  const [path, query] = url.split('?', 2)
  const parameters = new URLSearchParams(query)
  parameters.delete('key')
  // The outline comes once.
  if (parameters.get('outline') !== 'false') parameters.delete('outline')
  parameters.set('offset', String(next_offset))
  return `${base}${path}?${parameters}`
}

sendMarkdown.responses = {
  200: {
    description: 'The text, or the object that contains it, for a part or with Accept: application/json.',
    content: { 'text/markdown': { schema: Type.String() }, 'application/json': { schema: MarkdownResult } }
  },
  202: { ...MarkdownResult, description: 'Queued: try again later.' },
  404: {
    description: 'No full text is known (an object with status "unavailable"), or the paper does not exist (an error).',
    content: { 'application/json': { schema: Type.Union([MarkdownResult, ErrorBody]) } }
  }
}
