import { randomUUID } from 'node:crypto'
import t from 'tap'
import { type TObject, Type } from 'typebox'
import { toolInput, tools } from '../../src/adapters/mcp/tools.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { validator } from '../../src/input/validator.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import { keyCreate } from '../../src/operations/keys/key-create.js'
import { tolerantBody, tolerantInput } from '../../src/operations/tolerant-input.js'
import { asText, forbidden, receivedPdf, refusalOf } from '../support/forbidden.js'
import { logIn } from '../support/service.js'
import { watchedService } from '../support/watched-service.js'

t.test('invalid input is rejected with the same error and without SQL by', async t => {
  const service = await watchedService(t)

  t.test('tools', async t => {
    const { app, owner, during } = service
    const { api_key: key } = await keyCreate.run(owner.context, { name: 'Agent', scope: 'act' })
    const headers = { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${key}` }
    // A key is looked up at its first use.
    await app.inject({ method: 'POST', url: '/api/mcp', headers, payload: { jsonrpc: '2.0', id: 1, method: 'tools/list' } })
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
    const { app, owner, during } = service
    const { access_token } = await logIn(service, owner)
    const headers = { authorization: `Bearer ${access_token}` }
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
        // Bodies of the routes that take a key have identifiers of digits as numbers.
        const understood = encoding === 'json' && operation.scope !== undefined ? tolerantBody(operation.input, read) : read
        const expected = refusalOf(operation, file === undefined ? understood : { ...read, [file.property]: receivedPdf }, encoding)
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
        t.same(statements.filter(({ operation }) => operation !== undefined), [], 'no statement of an operation')
        sent++
      }
      t.ok(sent > 0, `${method} ${url} was sent something`)
    }
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
        { message: /is "not-a-uuid", which is not a UUID|^Project not-a-uuid doesn't exist|^identifier must have at least 1 character|^BACKUP_DIR is not set/ },
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

t.test('refusals say what an operation takes, with an example of a format', t => {
  const messagesOf = (schema: TObject, input: object) => {
    try {
      return validator(schema)(input)
    } catch (error) {
      const { message, invalid } = error as InvalidArguments
      return [message, invalid?.problem]
    }
  }
  const key = Type.String({ pattern: '^[A-Z]{2}$', examples: ['AB'], description: 'Two letters.' })
  t.strictSame(messagesOf(Type.Object({ key }), { key: '1' }), ['key is "1". Allowed: Two letters.', 'has an invalid format. Example: AB.'])
  const secret = Type.String({ minLength: 8, writeOnly: true, description: 'Eight characters.' })
  t.strictSame(messagesOf(Type.Object({ secret }), { secret: '1' }), [
    'secret is invalid. Eight characters.',
    'is invalid. Eight characters.'
  ])
  t.match(messagesOf(Type.Object({}, { additionalProperties: false }), { q: '1' }), [/This operation takes no arguments\.$/])
  t.end()
})
