import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { isMainThread, parentPort, workerData, Worker } from 'node:worker_threads'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from './service.js'

/*
 * Servers of others that treat their clients badly. They run in a thread of their own, so that their work does not delay the measured
 * requests.
 */

/** How a server treats its clients. */
export type Treatment = keyof typeof treatments

/** A feed of 1.8 MB. */
const feed = `<rss version="2.0"><channel><title>T</title>${Array.from({ length: 495 }, (_each, at) =>
  `<item><title>Paper ${at}</title><description>${'word '.repeat(700)}</description></item>`).join('')}</channel></rss>`
/** The same with each byte in a chunk of its own. */
let chunkedFeed: Buffer | undefined
const block = Buffer.alloc(65_536, '<item><title>A</title></item>')
const slowMs = 5000

const treatments = {
  /** Chunks of a byte, as many in a packet as fit. */
  chunks (_request, { socket }) {
    socket!.write('HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nTransfer-Encoding: chunked\r\n\r\n')
    chunkedFeed ??= Buffer.from(`${feed.replace(/./g, '1\r\n$&\r\n')}0\r\n\r\n`)
    socket!.end(chunkedFeed)
  },
  /** No response. */
  silent () {},
  /** A body without end, or headers without end. */
  endless ({ url }, { socket }) {
    const isBody = Number(/\d*$/.exec(url!)![0]) % 2 === 0
    socket!.write(isBody ? 'HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\n\r\n' : 'HTTP/1.1 200 OK\r\nX-Endless: ')
    const send = () => { while (!socket!.destroyed && socket!.write(block)); }
    socket!.on('drain', send)
    send()
  },
  /** An error of another kind at each address. */
  failing ({ url }, response) {
    const kind = Number(/\d*$/.exec(url!)![0]) % 4
    if (kind === 0) response.writeHead(500).end()
    else if (kind === 1) response.socket!.destroy()
    else if (kind === 2) response.writeHead(200, { 'content-type': 'application/rss+xml' }).end('<rss><channel><item>')
    else response.writeHead(302, { location: url! }).end()
  },
  /** Success after five seconds. */
  async slow (request, response) {
    request.resume()
    await sleep(slowMs)
    response.writeHead(204).end()
  }
} satisfies Record<string, RequestListener>

/** Starts a server. @returns its origin and a function that returns the number of requests that it received */
export async function foreignServer (treatment: Treatment): Promise<{ origin: string, countReceived: () => Promise<number> }> {
  const worker = new Worker(new URL(import.meta.url), { workerData: treatment })
  atEnd(async () => await worker.terminate())
  const [port] = await once(worker, 'message')
  return {
    // No other server of the trial has this address, so none shares its limits.
    origin: `http://127.0.0.9:${port}`,
    async countReceived () {
      const count = once(worker, 'message')
      worker.postMessage('count')
      return (await count)[0]
    }
  }
}

if (!isMainThread) {
  let received = 0
  const server = createServer((request, response) => {
    received++
    request.socket.on('error', () => {})
    treatments[workerData as Treatment](request, response)
  })
  server.listen(0, '127.0.0.9')
  await once(server, 'listening')
  parentPort!.on('message', () => parentPort!.postMessage(received))
  parentPort!.postMessage((server.address() as { port: number }).port)
}
