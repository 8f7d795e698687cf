import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import { buildApp } from '../../src/app.js'
import { accountCreate } from '../../src/operations/accounts/account-create.js'
import { keyRotate } from '../../src/operations/keys/key-rotate.js'
import { login } from '../../src/operations/accounts/login.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { tools } from '../../src/adapters/mcp/tools.js'
import { openService } from '../../src/service.js'
import { readSettings } from '../../src/composition/settings.js'
import { addPapers } from '../support/service.js'
import { modernMeta } from '../support/mcp.js'
import { inputsForSchema, unexpectedValues } from './arbitrary.js'
import { formRequests } from './generated-forms.js'
import { applyMutation, mutations } from './mutations.js'
import { ms, quantile, report } from './report.js'
import { account, answer, environmentOf, runParts, serve, steadily, temporaryDirectory } from './service.js'

/** Sends 100,000 generated requests for every schema, in both eras, over REST and as forms: valid, nearly valid, and with changed bytes. */
async function generated (): Promise<void> {
  const total = Number(process.env.REQUESTS ?? 100_000)
  const faults: string[] = []
  const log = {
    info () {},
    warn (data: object, message: string) {
      faults.push(`${message} ${JSON.stringify(data)}`)
    },
    error (data: object, message: string) {
      faults.push(`${message} ${JSON.stringify(data)}`)
    }
  }
  let rejections = 0
  process.on('unhandledRejection', () => {
    rejections++
  })
  const service = await openService({
    settings: readSettings(environmentOf({ DATA_DIR: temporaryDirectory(), LOG_LEVEL: 'error' })),
    log,
    name: 'torture',
    share: false
  })
  const app = await buildApp({
    context: service.context,
    settings: service.settings,
    logStream: {
      write: line => {
        faults.push(line)
      }
    }
  })
  const { id } = await accountCreate.run(service.context, { email: 'a@example.org', password: 'correct horse battery' })
  const context = { ...service.context, account: { id } }
  const { api_key: key } = await keyRotate.run(context, {})
  const { access_token } = await login.run(
    { ...service.context, address: '127.0.0.1' },
    { email: 'a@example.org', password: 'correct horse battery' }
  )
  const project = await projectCreate.run(context, { name: 'P', sources: [] })
  await addPapers(
    context,
    project.id,
    Array.from({ length: 30 }, (_each, at) => ({ title: `Sleep and memory, part ${at}`, abstract: 'Spindles & replay.' }))
  )
  const ids = [project.id, project.id.slice(0, 8), 'ffffffff-ffff-4fff-8fff-ffffffffffff']

  const toolNames = tools.flatMap(({ operation, dottedName }) => [operation.name, dottedName])
  const names = [...toolNames, 'feed_title_filter', 'constructor', '__proto__']
  const toolCall = fc.oneof(
    ...tools.map(({ operation }) => fc.record({ name: fc.constant(operation.name), arguments: inputsForSchema(operation.input, ids) }))
  )
  const params = fc.oneof(
    { weight: 4, arbitrary: toolCall },
    fc.record(
      {
        name: fc.constantFrom(...names),
        arguments: unexpectedValues,
        cursor: unexpectedValues,
        ref: unexpectedValues,
        argument: unexpectedValues,
        protocolVersion: unexpectedValues
      },
      { requiredKeys: [] }
    ),
    unexpectedValues
  )
  const method = fc.oneof(
    { weight: 4, arbitrary: fc.constant('tools/call') },
    fc.constantFrom(
      'initialize',
      'ping',
      'tools/list',
      'prompts/list',
      'prompts/get',
      'completion/complete',
      'server/discover',
      'notifications/initialized',
      'logging/setLevel',
      ''
    ),
    fc.string()
  )
  const message = (meta: object) =>
    fc.record(
      {
        jsonrpc: fc.oneof({ weight: 9, arbitrary: fc.constant('2.0') }, unexpectedValues),
        id: fc.oneof({ weight: 5, arbitrary: fc.integer() }, { weight: 5, arbitrary: fc.string() }, unexpectedValues),
        method,
        params: fc.oneof(
          {
            weight: 5,
            arbitrary: params.map(value =>
              typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value, ...meta } : value
            )
          },
          params
        )
      },
      { requiredKeys: ['jsonrpc', 'id', 'method', 'params'] }
    )
  const mcp = (era: 'legacy' | 'modern') =>
    fc
      .record({
        message: fc.oneof(
          { weight: 9, arbitrary: message(era === 'modern' ? { _meta: modernMeta } : {}) },
          fc.array(message({}), { maxLength: 4 }),
          unexpectedValues
        ),
        mutation: mutations
      })
      .map(({ message, mutation }) => {
        const { method, params } = (message ?? {}) as { method?: unknown, params?: { name?: unknown } }
        const header = (value: unknown) => typeof value === 'string' && /^[\x21-\x7e]+$/.test(value) ? value : 'x'
        const extra: Record<string, string> =
          era === 'modern'
            ? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': header(method), 'mcp-name': header(params?.name) }
            : { 'mcp-protocol-version': '2025-11-25' }
        return {
          method: 'POST' as const,
          url: '/api/mcp',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...extra },
          payload: applyMutation(JSON.stringify(message) ?? '', mutation)
        }
      })
  // Routes that end the session or delete the account's data are excluded.
  const asked = routes.filter(
    ({ url, method }) => !url.startsWith('/api/auth/') && !(method === 'DELETE' && url === '/api/projects/:project_id')
  )
  const rest = fc.record({ route: fc.constantFrom(...asked), seed: fc.nat(), mutation: mutations }).chain(({ route, mutation }) =>
    inputsForSchema(route.operation.input, ids).map(input => {
      const values = input as Record<string, unknown>
      const url = route.url.replace(
        /:(\w+)/g,
        (_whole, name: string) =>
          encodeURIComponent(typeof values[name] === 'string' ? (values[name] as string).toWellFormed().slice(0, 200) : ids[0]!) || 'x'
      )
      const inPath = new Set([...route.url.matchAll(/:(\w+)/g)].map(([, name]) => name!))
      const others = Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.has(name)))
      const query =
        route.method === 'GET'
          ? `?${new URLSearchParams(Object.entries(others).map(([name, value]): [string, string] => [name.toWellFormed(), (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()])).toString()}`
          : ''
      const body = route.method === 'GET' || route.binary !== undefined ? {} : { payload: applyMutation(JSON.stringify(others), mutation) }
      return {
        method: route.method,
        url: `${url}${query}`,
        headers: {
          authorization: `Bearer ${access_token}`,
          ...(route.method === 'GET' ? {} : { 'content-type': route.binary?.type ?? 'application/json' })
        },
        ...body
      }
    })
  )

  const seen = new Map<number, number>()
  const heaps: number[] = []
  let [count, silent] = [0, 0]
  const began = performance.now()
  const forms = await formRequests(app, { email: 'a@example.org', password: 'correct horse battery' }, ids)
  for (const [share, requests] of [[0.3, mcp('legacy')], [0.3, mcp('modern')], [0.2, rest], [0.2, forms]] as const) {
    const wanted = Math.round(total * share)
    for (let done = 0; done < wanted; done += 500) {
      const batch = fc.sample(requests as fc.Arbitrary<InjectOptions>, { numRuns: Math.min(500, wanted - done) })
      for (const request of batch) {
        const { statusCode, body, headers } = await app.inject(request)
        seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1)
        count++
        if (statusCode >= 500) faults.push(`${statusCode}: ${JSON.stringify(request).slice(0, 500)}`)
        const type = String(headers['content-type'])
        if (
          statusCode >= 400 &&
          (body === '' ||
            !(type.startsWith('application/json') || (type.startsWith('text/html') && !String(request.url).startsWith('/api/'))))
        ) { silent++ }
      }
      if (done % 5000 === 0) {
        global.gc?.()
        heaps.push(process.memoryUsage().heapUsed)
      }
    }
  }
  const took = performance.now() - began
  const bad = [...seen].filter(([status]) => status >= 500).reduce((sum, [, times]) => sum + times, 0)
  report(
    `${count} generated requests over every tool, route, page and form, in both protocol eras, with mutated bytes`,
    'no 5xx, no unhandled rejection, a message for each rejection',
    `${bad} 5xx, ${rejections} rejections, ${silent} others; ${[...seen]
      .sort(([a], [b]) => a - b)
      .map(([status, times]) => `${status}: ${times}`)
      .join(', ')}; ${Math.round((count / took) * 1000)}/s`,
    bad + rejections + silent === 0
  )
  report(
    'errors logged by the service',
    'none',
    faults.length === 0 ? 'nothing' : `${faults.length}: ${faults.slice(0, 3).join(' | ').slice(0, 1500)}`,
    faults.length === 0
  )
  // The first tenth fills bounded caches: compiled schemas, keys and segments.
  const settled = heaps.slice(Math.ceil(heaps.length / 10))
  const middle = Math.floor(settled.length / 2)
  const [early, late] = [settled.slice(0, middle), settled.slice(middle)].map(part => quantile(part, 0.5) / 2 ** 20) as [number, number]
  report(
    'heap after a collection, first half against second',
    'flat: at most 5 MB and 5 % more',
    `${early.toFixed(1)} MB, ${late.toFixed(1)} MB`,
    late <= early * 1.05 + 5
  )
  await app.close()
  await service.close()
}

/** Opens 500 slow clients and checks that they hold nothing but sockets. */
async function slow (): Promise<void> {
  const environment = { DATA_DIR: temporaryDirectory() }
  const service = await serve(environment)
  const { key } = await account(environment)
  const { port } = new URL(service.url)
  const rightly = async (seconds: number) =>
    await steadily(
      20,
      seconds,
      async () =>
        await answer(`${service.url}/api/mcp`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-api-key': key },
          body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
        })
    )
  await rightly(3)
  const idle = await rightly(10)
  const sockets: Array<{ socket: Socket, opened: number, closed: number | undefined }> = []
  const openings = [
    'POST /api/mcp HTTP/1.1\r\nHost: x\r\nX-Slow: ',
    `POST /api/mcp HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n{`,
    'G',
    ''
  ]
  for (let at = 0; at < 500; at++) {
    const socket = connect(Number(port), '127.0.0.1')
    const held = { socket, opened: performance.now(), closed: undefined as number | undefined }
    sockets.push(held)
    socket.on('error', () => {})
    socket.on('close', () => { held.closed = performance.now() })
    socket.resume()
    const opening = openings[at % openings.length]!
    socket.write(opening)
    const drip = setInterval(() => { if (socket.writable && opening !== '') socket.write(' ') }, 1000)
    socket.on('close', () => clearInterval(drip))
  }
  const during = await rightly(20)
  for (const end = performance.now() + 80_000; performance.now() < end && sockets.some(({ closed }) => closed === undefined);) {
    await sleep(250)
  }
  const [before, meanwhile] = [idle, during].map(answers =>
    quantile(
      answers.map(({ took }) => took),
      0.99
    )
  ) as [number, number]
  const bound = Math.max(3 * before, before + 50)
  report(
    'other requests while 500 slow sockets are open (p99)',
    `all answered, at most ${ms(bound)} (idle ${ms(before)})`,
    `${during.filter(({ status }) => status === 200).length} of ${during.length}, ${ms(meanwhile)}`,
    during.every(({ status }) => status === 200) && meanwhile <= bound
  )
  const held = sockets.map(({ opened, closed }) => (closed ?? Infinity) - opened)
  report(
    '500 slow sockets are closed',
    'all within 75 s',
    `${held.filter(Number.isFinite).length} closed, the last after ${ms(Math.max(...held))}`,
    Math.max(...held) <= 75_000
  )
  for (const { socket } of sockets) socket.destroy()
  await service.stop()
}

await runParts({ generated, slow })
