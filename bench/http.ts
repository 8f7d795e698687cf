import autocannon from 'autocannon'
import { postgresUrl, runCommand, startProcess, stopProcess, temporaryDirectory } from './process.js'
import { report } from './report.js'
import { litfeed } from '../test/support/shipped-options.js'
import { fileURLToPath } from 'node:url'

const bare = fileURLToPath(new URL('./bare.js', import.meta.url))
const durationSeconds = 8
const json = { 'content-type': 'application/json' }

/** Requests per second, after a warm-up of three seconds. @throws Error if a response is not 2xx */
async function measureRate (url: string, options: Partial<autocannon.Options> = {}): Promise<number> {
  await autocannon({ url, connections: 20, duration: 3, ...options })
  const { requests, non2xx, errors } = await autocannon({ url, connections: 20, duration: durationSeconds, ...options })
  if (non2xx + errors > 0) throw new Error(`${url} returned ${non2xx} responses with an error status`)
  return requests.average
}

/** Compares the service with bare routes that send the same JSON. Prints a table row for each request and database. */
export async function measureHttp (): Promise<void> {
  for (const kind of postgresUrl === undefined ? ['embedded'] : ['embedded', 'PostgreSQL']) {
    const environment: Record<string, string> = {
      DATA_DIR: temporaryDirectory(),
      PORT: '8791',
      RATE_LIMIT: '0',
      ...(kind === 'embedded' ? {} : { DATABASE_URL: postgresUrl!, JWT_SECRET: 'x'.repeat(32) })
    }
    await runCommand(['user', 'create', '--email', `bench${Date.now()}@example.org`], environment)
    const { items } = await runCommand(['user', 'list'], environment)
    const { email, id: account } = items.at(-1)
    const { id: project } = await runCommand(['project', 'create', '--email', email, '--name', 'Bench', '--interest', 'sleep'], environment)
    const samples = ['pubmed.xml', 'pubmed.nbib', 'arxiv.xml', 'references.ris'].map(name =>
      fileURLToPath(new URL(`../../samples/${name}`, import.meta.url))
    )
    await runCommand(['import', ...samples, '--project', project], environment)
    const { api_key: key } = await runCommand(['key', 'rotate', '--email', email], environment)
    const headers = { ...json, authorization: `Bearer ${key}` }
    const { child: service } = await startProcess(litfeed, ['serve'], environment, 'Litfeed is at')
    const list = { method: 'POST' as const, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }) }
    const answer = await fetch('http://127.0.0.1:8791/api/mcp', { ...list, headers })
    const baselineEnvironment = { ...environment, PORT: '8792', ACCOUNT: account, PROJECT: project, TOOLS: await answer.text() }
    const { child: baseline } = await startProcess(bare, [], baselineEnvironment, 'ready')
    try {
      const listRate = await measureRate('http://127.0.0.1:8791/api/mcp', { ...list, headers })
      const bareList = await measureRate('http://127.0.0.1:8792/tools-list', { ...list, headers: json })
      const bareSmall = await measureRate('http://127.0.0.1:8792/small', { ...list, headers: json })
      report(`tools/list with a key, ${kind}`, listRate, 'a bare Fastify route that sends the same JSON', bareList, 0.5)
      report(`tools/list with a key, ${kind}`, listRate, 'a bare Fastify route that sends {}', bareSmall)
      const feed = await measureRate(`http://127.0.0.1:8791/api/projects/${project}/feed?limit=20`, {
        headers: { authorization: `Bearer ${key}` }
      })
      const bareFeed = await measureRate('http://127.0.0.1:8792/feed')
      report(`feed_get of 20 items with a key over REST, ${kind}`, feed, 'a bare Fastify route with the same SQL and JSON', bareFeed, 0.7)
      const call = {
        method: 'POST' as const,
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'feed_get', arguments: { project_id: project, limit: 20 } }
        })
      }
      report(
        `feed_get of 20 items with a key over MCP, ${kind}`,
        await measureRate('http://127.0.0.1:8791/api/mcp', { ...call, headers }),
        'the same bare route, whose JSON is half as long',
        bareFeed
      )
    } finally {
      await stopProcess(baseline)
      await stopProcess(service)
    }
  }
}
