import { once } from 'node:events'
import { createServer } from 'node:http'
import { atEnd } from './service.js'

/** Serves journal feeds that are slow to parse: equal titles, many names, long texts. */
export async function feedServer (): Promise<{ origin: string }> {
  const kinds = [
    (at: number) =>
      `<title>The same title of all these papers</title><dc:creator>A B</dc:creator><description>${'word '.repeat(700)}${at}</description>`,
    (at: number) => `<title>A ${at}</title><dc:creator>${'A B, '.repeat(700)}</dc:creator>`,
    (at: number) => `<title>${'A b c '.repeat(600)}${at}</title>`
  ]
  const bodies = kinds.map(
    item =>
      `<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>T</title>${Array.from({ length: 495 }, (_each, at) => `<item>${item(at)}</item>`).join('')}</channel></rss>`
  )
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/rss+xml').end(bodies[Number(request.url!.slice(1)) % bodies.length])
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => server.close())
  return { origin: `http://127.0.0.1:${(server.address() as { port: number }).port}` }
}
