import t from 'tap'
import { testService } from '../support/service.js'

t.test('during shutdown', async t => {
  const { app, user } = await testService(t)
  const { key } = await user()
  let begun = () => {}
  let goOn = () => {}
  const closing = new Promise<void>(resolve => { begun = resolve })
  const asked = new Promise<void>(resolve => { goOn = resolve })
  app.addHook('preClose', async () => {
    begun()
    await asked
  })
  const address = await app.listen({ port: 0 })
  t.equal((await fetch(`${address}/healthz`)).status, 200)
  const closed = app.close()
  await closing
  const refused = async (path: string, init: RequestInit = {}) => {
    const response = await fetch(`${address}${path}`, init)
    t.equal(response.status, 503, path)
    t.match(Object.fromEntries(response.headers), { 'retry-after': '5', connection: 'close' }, path)
    return response
  }

  await t.test('requests are refused with an error object', async t => {
    for (const path of ['/api/projects', '/healthz', '/nowhere', '/api/feed/atom/x']) {
      t.strictSame(await (await refused(path)).json(), { detail: 'The service is stopping. Retry after 5 s.', code: 'unavailable' }, path)
    }
  })

  await t.test('MCP calls are refused with a JSON-RPC error', async t => {
    const response = await refused('/api/mcp', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    })
    t.strictSame(await response.json(), { jsonrpc: '2.0', error: { code: -32603, message: 'The service is stopping. Retry after 5 s.' } })
  })

  await t.test('a browser gets an error page, and allowed origins can read the error', async t => {
    t.match(await (await refused('/login', { headers: { accept: 'text/html' } })).text(), /<html[\s\S]*The service is stopping/)
    t.equal((await refused('/api/projects', { headers: { origin: address } })).headers.get('access-control-allow-origin'), address)
  })

  goOn()
  await closed
})
