import type { Socket } from 'node:net'
import { privateHeaders } from './private-responses.js'

/** An error of the parser, or the end of a time limit. */
interface ClientError extends Error { code?: string }

const answers: Readonly<Record<string, [status: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The URL and the headers have more than 16 KiB together. Shorten them.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request took too long to arrive. Send it again.']
}
const malformed: [status: string, detail: string] = ['400 Bad Request', 'The request is not valid HTTP.']

/** The response that Node.js writes at the moment. No documented way tells it. */
interface ServedSocket extends Socket { _httpMessage?: { headersSent: boolean } | null }

/** Answers what never becomes a request, in the format of all errors, and closes the connection, which may be in another response. */
export function answerClientError (error: ClientError, socket: ServedSocket): void {
  if (error.code === 'ECONNRESET' || !socket.writable || socket._httpMessage?.headersSent === true) {
    socket.destroy()
    return
  }
  const [status, detail] = answers[error.code ?? ''] ?? malformed
  const body = JSON.stringify({ detail, code: 'invalid_arguments' })
  const headers = {
    ...privateHeaders,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close'
  }
  const lines = [`HTTP/1.1 ${status}`, ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`), '', body]
  socket.write(lines.join('\r\n'))
  socket.destroySoon()
}
