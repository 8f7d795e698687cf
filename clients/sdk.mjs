const info = { name: 'litfeed-clients', version: '1' }

/** A program on an official SDK: it gives its model each text of a result, and checks what an SDK checks. */
const program = (name, packageName, load, options = {}) => ({
  name,
  package: packageName,
  async drive (run, { mcpUrl, key }) {
    const { Client, Transport } = await load()
    const client = new Client(info, options)
    await client.connect(new Transport(new URL(mcpUrl), { requestInit: { headers: { Authorization: `Bearer ${key}` } } }))
    const { tools } = await client.listTools()
    run.offered = tools.map(({ name, inputSchema }) => ({ name, schema: inputSchema }))
    for (let call = await run.start(); call !== undefined;) {
      const { content } = await client.callTool({ name: call.name, arguments: call.arguments })
      call = await run.receive(content.map(({ text }) => text).join('\n'))
    }
    await client.close()
    return run.answer ?? ''
  }
})

const v1 = async () => ({
  Client: (await import('@modelcontextprotocol/sdk/client/index.js')).Client,
  Transport: (await import('@modelcontextprotocol/sdk/client/streamableHttp.js')).StreamableHTTPClientTransport
})
const v2 = async () => {
  const { Client, StreamableHTTPClientTransport: Transport } = await import('@modelcontextprotocol/client')
  return { Client, Transport }
}

/** The official SDKs; the second generation in both protocol eras. */
export const sdks = [
  program('SDK 1', '@modelcontextprotocol/sdk', v1),
  program('SDK 2', '@modelcontextprotocol/client', v2),
  program('SDK 2 modern', '@modelcontextprotocol/client', v2, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
]
