import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

export interface Asked { method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer, at: number }

export interface Answer { status?: number, headers?: Record<string, string>, body: string | Uint8Array }

/** A service that stands in for an outside one, on a port of its own. */
export interface StandIn {
  url: string
  /** Every request that came. */
  asked: Asked[]
  /** What answers next in place of what it would say: each once, in this order. "hang" never answers, "break" ends the connection. */
  next: Array<Answer | 'hang' | 'break'>
}

/** @param t whose end closes it; without one it lives as long as the process */
export async function standIn (t: Pick<Test, 'teardown'> | undefined, answer: (asked: Asked) => Answer | Promise<Answer>): Promise<StandIn & { close: () => Promise<void> }> {
  const asked: Asked[] = []
  const next: StandIn['next'] = []
  const server = createServer((request, response) => {
    respond(request, response).catch(error => { response.writeHead(500).end(String(error)) })
  })
  async function respond (request: IncomingMessage, response: ServerResponse): Promise<void> {
    const one: Asked = { method: request.method!, url: new URL(request.url!, 'http://stand-in'), headers: request.headers, body: await buffer(request), at: Date.now() }
    asked.push(one)
    const instead = next.shift()
    if (instead === 'hang') return
    if (instead === 'break') {
      request.socket.destroy()
      return
    }
    const { status = 200, headers = {}, body } = instead ?? await answer(one)
    response.writeHead(status, headers).end(body)
  }
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => { server.close(resolve) })
  }
  t?.teardown(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, next, close }
}

/** The parameters of a question, whether they stand in its address or its body. */
export const parametersOf = ({ url, body }: Asked): URLSearchParams => new URLSearchParams([...url.searchParams, ...new URLSearchParams(body.toString())])

export const json = (value: unknown, status = 200): Answer => ({ status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) })
export const xml = (body: string, status = 200): Answer => ({ status, headers: { 'content-type': 'text/xml; charset=UTF-8' }, body })
export const escaped = (text: string): string => text.replace(/[&<>"]/g, mark => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)
