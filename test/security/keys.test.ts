import t from 'tap'
import { keyRevoke } from '../../src/operations/keys/key-revoke.js'
import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { testService } from '../support/service.js'

/** Parts of a response that do not differ from call to call. */
const visible = ({
  statusCode,
  headers: { date: _date, 'x-request-id': _id, ...headers },
  body
}: {
  statusCode: number
  headers: Record<string, unknown>
  body: string
}) => JSON.stringify({ statusCode, headers, body })

t.test('keys that are wrong, malformed, replaced or revoked get the same 401, byte for byte', async t => {
  let time = new Date()
  const service = await testService(t, {}, () => time)
  const [user, replaced, revoked] = [await service.user(), await service.user(), await service.user()]
  await keyRotate.run(replaced.context, {})
  await keyRevoke.run(revoked.context, {})
  time = new Date(time.getTime() + 1000)
  const [, prefix, secret] = user.key.split('_') as [string, string, string]
  const wrong = [
    replaced.key,
    revoked.key,
    `svcmcp_${prefix}_${'x'.repeat(32)}`,
    `svcmcp_${prefix}_${secret.slice(1)}`,
    `svcmcp_${prefix}_${secret}x`,
    `svcmcp_${prefix}_${secret.toLowerCase()}`,
    `svcmcp_unknown000_${secret}`,
    `svcmcp_${prefix}`,
    `svcmcp_${prefix}_`,
    'svcmcp__',
    'svcmcp_',
    `svcmcp_${'p'.repeat(33)}_${secret}`,
    `svcmcp_${prefix}_${'s'.repeat(5000)}`,
    `svcmcp_${prefix}_${secret}_`,
    `svcmcp_%00_${secret}`,
    `svcmcp_${prefix}'--_${secret}`
  ]
  const ways: Array<(key: string) => object> = [
    key => ({ headers: { authorization: `Bearer ${key}` } }),
    key => ({ headers: { 'x-api-key': key } }),
    key => ({ query: { key } })
  ]
  for (const way of ways) {
    const [mcp, rest] = [new Set<string>(), new Set<string>()]
    for (const key of wrong) {
      mcp.add(
        visible(
          await service.app.inject({
            method: 'POST',
            url: '/api/mcp/',
            ...way(key),
            payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' }
          })
        )
      )
      rest.add(visible(await service.app.inject({ url: '/api/projects', ...way(key) })))
    }
    t.strictSame([...mcp].map(seen => JSON.parse(seen).statusCode), [401])
    t.strictSame([...rest].map(seen => JSON.parse(seen).statusCode), [401])
    t.equal((await service.app.inject({ url: '/api/projects', ...way(user.key) })).statusCode, 200, 'the right one')
  }
})
