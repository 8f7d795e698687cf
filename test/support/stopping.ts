import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { type Socket, connect } from 'node:net'

/** How a shutdown went. */
export interface Stopped {
  /** Requests in flight that got a complete response with status 200. */
  answered: number
  /** Idle clients whose connection stayed open. */
  kept: number
  code: number | null
  milliseconds: number
}

const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'projects_list', arguments: {} } })
const half = Math.floor(message.length / 2)

/** Opens a connection and collects what it receives. */
async function client (port: number): Promise<{ socket: Socket, text: () => string }> {
  const socket = connect(port, '127.0.0.1')
  let text = ''
  socket.on('data', bytes => { text += bytes.toString() })
  await once(socket, 'connect')
  return { socket, text: () => text }
}

/**
 * Sends SIGTERM to a service while idle clients keep connections open and other requests are in flight. Their bodies are completed after
 * the signal.
 * @param told resolves when the service has logged that it is stopping
 */
export async function stopUnderLoad (
  service: ChildProcess,
  { port, key, idle, underWay, told }: { port: number, key: string, idle: number, underWay: number, told: () => Promise<unknown> }
): Promise<Stopped> {
  const kept = await Promise.all(
    Array.from({ length: idle }, async () => {
      const { socket, text } = await client(port)
      socket.write('GET /healthz HTTP/1.1\r\nHost: litfeed\r\n\r\n')
      while (!text().endsWith('}')) await once(socket, 'data')
      return socket
    })
  )
  const asking = await Promise.all(
    Array.from({ length: underWay }, async () => {
      const one = await client(port)
      one.socket.write(
        `POST /api/mcp HTTP/1.1\r\nHost: litfeed\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${message.length}\r\n\r\n${message.slice(0, half)}`
      )
      return one
    })
  )
  // A response on a later connection shows that the service has read the earlier bytes.
  await fetch(`http://127.0.0.1:${port}/readyz`)

  const exited = once(service, 'exit') as Promise<[number | null]>
  const began = performance.now()
  service.kill('SIGTERM')
  await told()
  const answers = await Promise.all(asking.map(async ({ socket, text }) => {
    const closed = once(socket, 'close')
    socket.write(message.slice(half))
    await closed
    return text()
  }))
  const [code] = await exited
  return {
    answered: answers.filter(text => text.startsWith('HTTP/1.1 200') && text.includes('"structuredContent"')).length,
    kept: kept.filter(socket => !socket.destroyed && !socket.readableEnded).length,
    code,
    milliseconds: performance.now() - began
  }
}
