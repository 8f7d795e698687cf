import t from 'tap'
import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { projectWith, testService } from '../../support/service.js'

const info = { name: 'test', version: '1' }

/** Calls that every client must be able to make, written against the interface that both generations share. */
interface AnyClient {
  connect: (transport: any) => Promise<void>
  close: () => Promise<void>
  listTools: () => Promise<{ tools: Array<{ name: string }> }>
  callTool: (call: { name: string, arguments: Record<string, unknown> }) => Promise<any>
  listPrompts: () => Promise<{ prompts: Array<{ name: string }> }>
  getPrompt: (prompt: { name: string, arguments: Record<string, string> }) => Promise<any>
  complete: (params: any) => Promise<any>
}

t.test('the official clients', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Sleep spindles' }])
  const address = await service.app.listen({ host: '127.0.0.1', port: 0 })
  const byHeader = { url: new URL(`${address}/api/mcp`), options: { requestInit: { headers: { Authorization: `Bearer ${user.key}` } } } }
  const byQuery = { url: new URL(`${address}/api/mcp/?key=${user.key}`), options: {} }

  const clients: Array<[string, () => AnyClient, (where: typeof byHeader | typeof byQuery) => unknown]> = [
    ['v1', () => new ClientV1(info) as unknown as AnyClient, ({ url, options }) => new TransportV1(url, options)],
    ['v2', () => new ClientV2(info) as unknown as AnyClient, ({ url, options }) => new TransportV2(url, options)],
    [
      'v2, either era',
      () => new ClientV2(info, { versionNegotiation: { mode: 'auto' } }) as unknown as AnyClient,
      ({ url, options }) => new TransportV2(url, options)
    ],
    [
      'v2, pinned to 2026-07-28',
      () => new ClientV2(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } }) as unknown as AnyClient,
      ({ url, options }) => new TransportV2(url, options)
    ]
  ]

  for (const [generation, make, transport] of clients) {
    for (const [way, where] of [['by header', byHeader], ['by query key', byQuery]] as const) {
      t.test(`${generation}, ${way}`, async t => {
        const client = make()
        await client.connect(transport(where))
        t.strictSame(
          (await client.listTools()).tools.map(({ name }) => name),
          ['projects_list', 'projects_get', 'feed_get', 'feed_search', 'feed_atom_url', 'paper_get', 'paper_markdown']
        )
        const found = await client.callTool({ name: 'feed_search', arguments: { project_id, q: 'spind' } })
        t.match(found.structuredContent, { items: [{ paper_title: 'Sleep spindles' }] })
        const { id } = found.structuredContent.items[0].paper
        t.match((await client.callTool({ name: 'paper_get', arguments: { paper_id: id } })).structuredContent, { id })
        t.match((await client.callTool({ name: 'paper_markdown', arguments: { paper_id: id } })).structuredContent, {
          status: 'unavailable'
        })
        t.match(await client.callTool({ name: 'feed_get', arguments: { project_id: id } }), {
          isError: true,
          content: [{ text: /^project_not_found/ }]
        })
        t.strictSame(
          (await client.listPrompts()).prompts.map(({ name }) => name),
          ['feed_title_filter', 'weekly_brief', 'triage', 'explain_paper', 'find_papers', 'saved_papers']
        )
        t.match(await client.getPrompt({ name: 'feed_title_filter', arguments: { project_id, title_keyword: 'sleep' } }), {
          messages: [{ role: 'user' }]
        })
        t.match(
          await client.complete({ ref: { type: 'ref/prompt', name: 'feed_title_filter' }, argument: { name: 'project_id', value: '' } }),
          { completion: { values: ['A project'] } }
        )
        await client.close()
      })
    }

    t.test(`${generation} reports a wrong key`, async t => {
      const client = make()
      await t.rejects(client.connect(transport({ url: new URL(`${address}/api/mcp/?key=svcmcp_a_b`), options: {} })))
      await client.close()
    })
  }
})
