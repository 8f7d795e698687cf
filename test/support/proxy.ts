import { once } from 'node:events'
import { type Socket, connect, createServer } from 'node:net'
import { Transform } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** A TCP proxy that simulates failures. */
export interface Proxy {
  port: number
  /** Simulates a stopped server: closes connections and refuses new ones. */
  away: () => Promise<void>
  /** Simulates a pulled cable: connections stay open, but transfer nothing, old and new ones. */
  stuck: () => void
  /** Simulates a distant or busy server: every chunk arrives this much later, in each direction. */
  delay: (milliseconds: number) => void
  /** New connections work again; stuck ones stay stuck. */
  back: () => Promise<void>
  close: () => Promise<void>
}

/** Starts a proxy in front of a PostgreSQL server. */
export async function proxyTo (address: URL): Promise<Proxy> {
  const sockets = new Set<Socket>()
  let isStuck = false
  let delayMs = 0
  const server = createServer(client => {
    sockets.add(client)
    client.on('error', () => {})
    client.on('close', () => sockets.delete(client))
    if (isStuck) {
      client.pause()
      return
    }
    const upstream = connect(Number(address.port || 5432), address.hostname)
    sockets.add(upstream)
    for (const [socket, other] of [[client, upstream], [upstream, client]] as const) {
      socket.pipe(delayed(() => delayMs)).pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => { sockets.delete(socket); other.destroy() })
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  const end = async () => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise(resolve => { server.close(resolve) })
  }
  return {
    port,
    away: end,
    stuck () {
      isStuck = true
      for (const socket of sockets) socket.unpipe().pause()
    },
    delay (milliseconds) { delayMs = milliseconds },
    async back () {
      isStuck = false
      if (!server.listening) await once(server.listen(port, '127.0.0.1'), 'listening')
    },
    close: end
  }
}

/** Passes chunks on in their order, each after the delay that applied when it came. */
function delayed (delayMs: () => number): Transform {
  let last = Promise.resolve()
  const inOrder = (wait: Promise<unknown> | undefined, pass: () => void) => {
    const before = last
    last = (async () => { await before; await wait; pass() })()
  }
  return new Transform({
    transform (chunk, _encoding, done) {
      if (delayMs() === 0) {
        inOrder(undefined, () => done(null, chunk))
        return
      }
      inOrder(sleep(delayMs()), () => this.push(chunk))
      done()
    },
    flush (done) { inOrder(undefined, done) }
  })
}
