import type { FastifyInstance } from 'fastify'
import { errorCodeOf } from '../../schemas/thrown.js'
import { listFileRisks } from '../../db/embedded/data-directory.js'
import { memoryProblem } from '../fulltext/sandbox/resident-memory.js'
import { importUndici } from '../http/guarded-client.js'
import { isWildcard } from '../http/loopback.js'
import { keyGet } from '../operations/keys/key-get.js'
import { accountsList } from '../operations/accounts/accounts-list.js'
import { openService, type Service } from '../service.js'
import type { Command, Terminal } from './command.js'
import { dropUnread } from './log.js'
import { createSample, sampleOperations } from './sample.js'

/** Maximum time for requests in flight during shutdown. */
const shutdownTimeoutMs = 9000

export const serve: Command = {
  name: 'serve',
  summary: 'run the service',
  operations: [...sampleOperations, keyGet],
  declare: program => program.option('--sample', 'create an account with a sample project if the database is empty'),
  async run (terminal, { sample }) {
    const { settings, log, note } = terminal
    outliveOutput()
    const service = await openService({ settings, log, name: 'litfeed serve', share: false, note, onFailure: fail })
    let app: FastifyInstance
    try {
      // Imported here, so other commands start faster.
      const { buildApp } = await import('../app.js')
      const logStream = dropUnread(process.stdout, {
        onResume: lines => { app.log.warn({ lines }, 'Log lines were dropped, because the reader of standard output had stopped.') }
      })
      app = await buildApp({ context: service.context, settings, logStream })
      service.logTo(app.log)
      const problem = await memoryProblem()
      if (problem !== undefined) app.log.warn(problem)
      if (isWildcard(settings.host) && settings.baseUrl === undefined) {
        app.log.warn('Links and MCP addresses name localhost. Set BASE_URL to the address under which people reach the service.')
      }
      for (const risk of listFileRisks(settings.dataDir)) app.log.warn({ dataDir: settings.dataDir }, risk)
      await importUndici()
      // Loading leaves garbage that V8 would keep for long: it grows the heap by what it finds in use.
      globalThis.gc?.()
      await listen(app, service)
    } catch (cause) {
      await service.close()
      throw cause
    }
    stopOnSignal(app, service)
    try {
      await announce(terminal, service, sample === true)
    } catch (cause) {
      await app.close()
      await service.close()
      throw cause
    }
  }
}

/** Without a listener, a log file on a full disk would end the service. Its lines are lost until the disk has room. */
function outliveOutput (): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}

async function listen (app: FastifyInstance, service: Service): Promise<void> {
  const { host, port } = service.settings
  try {
    await app.listen({ host, port })
  } catch (cause) {
    const code = errorCodeOf(cause)
    if (code === 'EADDRINUSE') throw new Error(`Port ${port} of ${host} is in use by another program. Stop it or change PORT.`, { cause })
    if (code === 'EADDRNOTAVAIL') {
      throw new Error(`${host} is not an address of this machine. Set HOST to a local address, such as 127.0.0.1.`, { cause })
    }
    if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new Error(`${host} was not found. Set HOST to an address of this machine without a port, such as 127.0.0.1.`, { cause })
    }
    if (code === 'EACCES') throw new Error(`This user has no permission to listen on port ${port}. Set PORT to 1024 or higher.`, { cause })
    throw cause
  }
  service.setPort((app.server.address() as { port: number }).port)
}

/** The first signal starts a graceful shutdown; the second exits immediately. */
function stopOnSignal (app: FastifyInstance, service: Service): void {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) process.exit(1)
    stopping = true
    app.log.info({ signal }, 'stopping')
    setTimeout(() => process.exit(1), shutdownTimeoutMs).unref()
    await app.close()
    await service.close()
    process.exit(0)
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

/** Exits after the database failed, so that the supervisor restarts the service. */
function fail (cause: Error): void {
  process.stderr.write(`litfeed: ${cause.message} The service stops.\n`)
  process.exit(1)
}

async function announce (terminal: Terminal, { context, connection }: Service, wantsSample: boolean): Promise<void> {
  const address = context.baseUrl()
  const lines = [`Litfeed is at ${address}/  ` +
    `(${connection.kind === 'embedded' ? `embedded database in ${terminal.settings.dataDir}` : 'PostgreSQL'})`]
  const { setupToken, trustsLocalSetup } = context.accounts
  const sample = wantsSample ? await createSample(context) : undefined
  const result = {
    address: `${address}/`,
    database: connection.kind,
    mcp_url: sample?.key.mcp_url ?? `${address}/api/mcp`,
    ...(sample === undefined ? {} : { email: sample.email, password: sample.password, api_key: sample.key.api_key }),
    ...(sample !== undefined || setupToken === undefined ? {} : { setup_token: setupToken })
  }
  if (sample !== undefined) {
    const { email, password, papers, key } = sample
    lines.push(
      '',
      `Account:   ${email}`,
      `Password:  ${password}`,
      `Sample:    a project with ${papers} fictional papers`,
      `MCP:       ${key.mcp_url}`,
      '',
      'The password and the key are shown only once. Try it:',
      '',
      `curl -s ${address}/api/mcp -H 'Authorization: Bearer ${key.api_key}' -H 'Content-Type: application/json' \\`,
      '  -d \'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"projects_list","arguments":{}}}\''
    )
  } else {
    lines.push(...await keyLines(context, wantsSample ? 'npx litfeed' : 'litfeed'))
    if (setupToken !== undefined) {
      const where = trustsLocalSetup ? ' from another machine or through a proxy' : ''
      lines.push(`The first registration${where} requires this setup token: ${setupToken}`)
    }
  }
  terminal.print(result, `\n${lines.join('\n')}\n`)
}

/** Describes the MCP endpoint, and the account and its key if there is exactly one. @param command what runs Litfeed's commands */
async function keyLines (context: Service['context'], command: string): Promise<string[]> {
  const { items } = await accountsList.run(context, { limit: 2 })
  if (items.length === 0) {
    return [`No account yet. Open ${context.baseUrl()} in a browser, or run: ${command} user create --email you@example.org`]
  }
  if (items.length > 1) return [`MCP:       ${context.baseUrl()}/api/mcp`]
  const { id, email } = items[0]!
  const { key } = await keyGet.run({ ...context, account: { id } }, {})
  return [
    `Account:   ${email}`,
    `MCP:       ${context.baseUrl()}/api/mcp  (${key === null ? 'no key yet' : `key ${key.masked}`})`,
    `New key:   ${command} key rotate --email ${email}`
  ]
}
