import { randomUUID } from 'node:crypto'
import t from 'tap'
import type { TObject } from 'typebox'
import { toolInput, tools } from '../../src/adapters/mcp/tools.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { pages } from '../../src/adapters/web/pages.js'
import { buildApp } from '../../src/app.js'
import { requireAdministrator, authenticateSession } from '../../src/accounts/authenticate.js'
import { updateAccount } from '../../db/queries/accounts.js'
import { validator } from '../../src/input/validator.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import { openMetrics } from '../../src/observability/metrics.js'
import type { AnyOperation } from '../../src/operations/operation.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { tolerantInput } from '../../src/operations/tolerant-input.js'
import { browserOf } from '../support/callers.js'
import { forbidden, receivedPdf, valid } from '../support/forbidden.js'
import { logIn, testService } from '../support/service.js'

/** Finds the refusal of an input; undefined for an accepted one. */
function refusalOf (operation: Pick<AnyOperation, 'check'>, input: unknown, encoding: 'json' | 'text'): InvalidArguments | undefined {
  try {
    operation.check(input, { encoding })
    return undefined
  } catch (error) {
    return error as InvalidArguments
  }
}

/** The service with an administrator, and every statement that operations send to its database. */
async function watchedService (t: Parameters<typeof testService>[0]) {
  const service = await testService(t)
  const owner = await service.user()
  await updateAccount(service.context.db, owner.context.account.id, { administrator: true })
  const statements: string[] = []
  const watched = service.context.db.withPlugin({
    transformQuery ({ node }) {
      statements.push(service.context.db.getExecutor().compileQuery(node, { queryId: 'watched' } as never).sql)
      return node
    },
    transformResult: async ({ result }) => result
  })
  const context = Object.freeze({ ...service.context, db: watched, metrics: openMetrics() })
  const app = await buildApp({ context, settings: service.settings, logStream: { write: line => { service.logged.push(line) } } })
  t.teardown(async () => { await app.close() })
  /** Runs something, and gives the statements that it caused. */
  const during = async <T>(work: () => Promise<T>): Promise<[T, string[]]> => {
    statements.length = 0
    const result = await work()
    return [result, [...statements]]
  }
  return { ...service, app, context, owner, during }
}

const asText = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined

t.test('invalid input is rejected with the same error and without SQL by', async t => {
  const service = await watchedService(t)

  t.test('tools', async t => {
    const { app, owner, during } = service
    const { api_key: key } = await keyCreate.run(owner.context, { name: 'Agent', scope: 'act' })
    const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${key}` }
    for (const tool of tools) {
      const { operation } = tool
      const taken = toolInput(tool)
      const check = validator(taken)
      for (const [what, input] of forbidden(taken)) {
        const expected = refusalOf({ check: value => check(value) }, tolerantInput(taken, input), 'json')
        // Clients send ids and queries of digits as numbers.
        if (expected === undefined) continue
        const [answer, statements] = await during(() =>
          app.inject({
            method: 'POST',
            url: '/api/mcp',
            headers,
            payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: operation.name, arguments: input } }
          })
        )
        t.same(
          answer.json().result,
          { isError: true, content: [{ type: 'text', text: `invalid_arguments: ${expected.message}` }] },
          `${operation.name}: ${what}`
        )
        t.same(statements, [])
      }
    }
  })

  t.test('routes', async t => {
    const { app, owner, during, context } = service
    const { access_token } = await logIn(service, owner)
    const headers = { authorization: `Bearer ${access_token}` }
    const [, asCaller] = await during(async () => {
      await authenticateSession(context, access_token)
      await requireAdministrator({ ...owner.context, db: context.db })
    })
    t.ok(asCaller.length > 0, 'the caller is looked up')
    for (const { method, url, operation, binary, multipart } of routes) {
      const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
      const encoding = method === 'GET' ? 'text' : 'json'
      let sent = 0
      for (const [what, input, property] of forbidden(operation.input as TObject)) {
        if (property === undefined || ((binary ?? multipart) !== undefined && !inPath.includes(property))) continue
        const values = Object.entries(input as Record<string, unknown>)
        const texts = new Map(values.map(([name, value]) => [name, asText(value)]))
        // Some values have no place in an address.
        if (values.some(([name]) => (encoding === 'text' || inPath.includes(name)) && (texts.get(name) ?? '') === '')) continue
        if (inPath.some(name => !texts.has(name) || texts.get(name)!.length > 200)) continue
        const path = url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(texts.get(name)!))
        const others = values.filter(([name]) => !inPath.includes(name))
        const read = {
          ...Object.fromEntries(others.map(([name, value]) => [name, encoding === 'text' ? texts.get(name) : value])),
          ...Object.fromEntries(inPath.map(name => [name, texts.get(name)]))
        }
        const file = binary ?? multipart
        const expected = refusalOf(operation, file === undefined ? read : { ...read, [file.property]: receivedPdf }, encoding)
        if (expected === undefined) continue
        const query = encoding === 'text' ? `?${new URLSearchParams(others.map(([name]) => [name, texts.get(name)!]))}` : ''
        const jsonBody = encoding === 'json' ? { payload: Object.fromEntries(others) } : {}
        const body = multipart !== undefined ? { payload: formOf(others) } : binary === undefined ? jsonBody : { payload: '%PDF-1.7' }
        const type = multipart === undefined ? binary?.type : 'multipart/form-data; boundary=part'
        const [answer, statements] = await during(() =>
          app.inject({
            method,
            url: `${path}${query}`,
            headers: type === undefined ? headers : { ...headers, 'content-type': type },
            ...body
          })
        )
        t.same(
          { status: answer.statusCode, ...answer.json() },
          { status: 400, code: 'invalid_arguments', detail: expected.message },
          `${method} ${url}: ${what}`
        )
        t.same(
          statements.filter(sql => !asCaller.includes(sql)),
          [],
          'no statement of the operation'
        )
        sent++
      }
      t.ok(sent > 0, `${method} ${url} was sent something`)
    }
  })

  t.test('pages and their forms', async t => {
    const { app, owner, during } = service
    const browser = browserOf(service, owner)
    const accept = { accept: 'text/html' }
    const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
    let sent = 0
    // The first account is there: the welcome leads elsewhere.
    for (const page of pages.filter(({ url }) => url !== '/welcome')) {
      const inPath = [...page.url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
      for (const [name, action] of Object.entries(page.actions)) {
        for (const operation of action.operations) {
          for (const [what, input, property] of forbidden(operation.input as TObject)) {
            if (
              property === undefined ||
              !(property in action.fields.properties || inPath.includes(property)) ||
              'maxBytes' in operation.input.properties[property]
            ) { continue }
            // A checkbox is checked, whatever value it sends.
            if (operation.input.properties[property].type === 'boolean') continue
            const value = (input as Record<string, unknown>)[property]
            const lines =
              Array.isArray(value) && value.every(each => typeof each === 'string' && each.trim() !== '')
                ? value.map((each: string, at) => value.length > 1 ? `${at}${each}` : each).join('\n')
                : undefined
            const text = lines ?? asText(value)
            if (
              text === undefined ||
              text.trim() === '' ||
              text === 'true' ||
              text === 'false' ||
              (inPath.includes(property) && text.length > 200)
            ) { continue }
            const expected = refusalOf(
              operation,
              { ...(input as object), [property]: lines === undefined ? text : lines.split('\n') },
              'text'
            )
            if (expected === undefined || (lines === undefined && Array.isArray(value))) continue
            const session = page.access === 'anyone' ? undefined : await browser()
            const fields = Object.fromEntries(
              Object.entries({ ...action.fields.properties, ...(operation.input as TObject).properties }).flatMap(([field, schema]) => {
                if (inPath.includes(field)) return []
                if (field in operation.input.properties && operation.input.properties[field].type === 'array') {
                  return field === property ? [[field, text]] : []
                }
                const right = asText(valid(schema as never))
                return right === undefined || (schema as { type?: string }).type === 'boolean'
                  ? []
                  : [[field, field === property ? text : right]]
              })
            ) as Record<string, string>
            if ('repeated' in fields) fields.repeated = fields.new_password ?? fields.password!
            const url = page.url.replace(/:(\w+)/g, (_, each: string) =>
              encodeURIComponent(each === property ? text : '0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11')
            )
            if (page.url.includes(':project_id') && property !== 'project_id') continue
            const [answer] = await during(() =>
              app.inject({
                method: 'POST',
                url,
                headers: {
                  ...accept,
                  ...(session === undefined ? {} : { cookie: session.cookie }),
                  'content-type': 'application/x-www-form-urlencoded'
                },
                payload: new URLSearchParams({
                  ...fields,
                  action: name,
                  ...(session === undefined ? {} : { csrf_token: session.csrfToken })
                }).toString()
              })
            )
            // A wrong address is refused in plain words, without the name of an argument; a project that it does not name is not found.
            const isAddress = inPath.includes(property)
            t.ok(answer.statusCode === 400 || (isAddress && answer.statusCode === 404), `${name} of ${page.url}: ${what}`)
            t.ok(isAddress || answer.body.includes(escaped(expected.invalid!.problem)), expected.userMessage)
            sent++
          }
        }
      }
    }
    t.ok(sent > 10, `${sent} forms were refused`)
  })

  t.test('jobs', async t => {
    const { context, during } = service
    // A check for notices has no data to validate.
    for (const { task, run } of tasks.filter(({ task }) => task !== 'check-notices')) {
      const [refused, statements] = await during(() =>
        run({ ...context, signal: new AbortController().signal }, {
          id: 'x',
          task,
          project_id: 'not-a-uuid',
          paper_id: 'not-a-uuid',
          alert_id: 'not-a-uuid',
          import_id: 'not-a-uuid',
          identifier: '',
          account_id: 'not-a-uuid'
        } as never).then(
          () => undefined,
          (error: InvalidArguments) => error
        )
      )
      t.match(
        refused,
        { message: /is "not-a-uuid", which is not a UUID|^You have no project not-a-uuid\.|^identifier must have at least 1 character|^BACKUP_DIR is not set/ },
        task
      )
      t.same(statements, [])
    }
    // Work on an account's data never runs without the account.
    const { run } = tasks.find(({ task }) => task === 'score-project')!
    const job = { id: 'x', task: 'score-project', project_id: randomUUID(), account_id: null }
    await t.rejects(run({ ...context, signal: new AbortController().signal }, job as never), { message: 'The job belongs to no account.' })
  })
})

/** A form with a file, and these fields. */
function formOf (fields: ReadonlyArray<readonly [name: string, value: unknown]>): string {
  const part = (name: string, content: string, file = '') =>
    `--part\r\ncontent-disposition: form-data; name="${name}"${file}\r\n\r\n${content}\r\n`
  const others = fields.filter(([name]) => name !== 'file').map(([name, value]) => part(name, asText(value) ?? ''))
  return `${others.join('')}${part('file', 'x', '; filename="a.ris"')}--part--\r\n`
}
