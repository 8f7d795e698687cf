import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Test } from 'tap'

/** A request that a stand-in received; `at` is milliseconds since the epoch. */
export interface ReceivedRequest { method: string, url: URL, headers: IncomingMessage['headers'], body: Buffer, at: number }

/** A response of a stand-in; status 200 by default. */
export interface Answer { status?: number, headers?: Record<string, string>, body: string | Uint8Array }

/** A local server that imitates an outside service. */
export interface StandIn {
  url: string
  /** All requests received. */
  requests: ReceivedRequest[]
  /** Overrides for the next responses, used once each in this order. "hang" never responds, "break" closes the connection. */
  next: Array<Answer | 'hang' | 'break'>
}

/** Starts a stand-in. @param t closes it when the test ends; without it, call `close` */
export async function standIn (
  t: Pick<Test, 'teardown'> | undefined,
  answer: (request: ReceivedRequest) => Answer | Promise<Answer>
): Promise<StandIn & { close: () => Promise<void> }> {
  const requests: ReceivedRequest[] = []
  const next: StandIn['next'] = []
  const server = createServer((request, response) => {
    respond(request, response).catch(error => { response.writeHead(500).end(String(error)) })
  })
  async function respond (request: IncomingMessage, response: ServerResponse): Promise<void> {
    const received: ReceivedRequest = {
      method: request.method!,
      url: new URL(request.url!, 'http://stand-in'),
      headers: request.headers,
      body: await buffer(request),
      at: Date.now()
    }
    requests.push(received)
    const override = next.shift()
    if (override === 'hang') return
    if (override === 'break') {
      request.socket.destroy()
      return
    }
    const { status = 200, headers = {}, body } = override ?? await answer(received)
    response.writeHead(status, headers).end(body)
  }
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  const close = async () => {
    server.closeAllConnections()
    await new Promise(resolve => { server.close(resolve) })
  }
  t?.teardown(close)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, next, close }
}

/** Parameters of a request, from its query and its form body. */
export const parametersOf = ({ url, body }: ReceivedRequest): URLSearchParams =>
  new URLSearchParams([...url.searchParams, ...new URLSearchParams(body.toString())])

export const json = (value: unknown, status = 200): Answer => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value)
})
export const xml = (body: string, status = 200): Answer => ({ status, headers: { 'content-type': 'text/xml; charset=UTF-8' }, body })
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, mark => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)
