import t from 'tap'
import { readdirSync, readFileSync } from 'node:fs'
import { errorCodes } from '../schemas/errors.js'
import { migrations } from '../db/migrations/index.js'
import { derivedTables, backupTables } from '../db/queries/backup.js'
import * as errors from '../src/errors/operation-errors.js'
import { allSettings } from '../src/composition/settings.js'
import { commands } from '../src/cli/commands.js'
import { prompts } from '../src/adapters/mcp/prompts.js'
import { findTool, tools } from '../src/adapters/mcp/tools.js'
import { routes } from '../src/adapters/rest/routes.js'
import { keyCreate } from '../src/operations/keys/key-create.js'
import { formats } from '../src/sources/formats/index.js'
import { packageRoot } from '../src/settings/version.js'
import { post, postModern } from './support/mcp.js'
import { testService } from './support/service.js'
import { compactJson, describeRoutes } from './support/surface.js'
import { numberedRules, requirements } from './requirements.js'

const text = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8')
const kebab = (name: string) => name.replaceAll('_', '-')
/** Names of the files of operations, without their endings: each stands in the folder of what it acts on. */
const operationFiles = new Set(
  readdirSync(new URL('src/operations/', packageRoot), { recursive: true, encoding: 'utf8' }).map(path =>
    path.replace(/^.*\//, '').replace(/\.ts$/, '')
  )
)

interface Shape {
  type?: string
  description?: string
  properties?: Record<string, Shape>
  items?: Shape
  anyOf?: unknown
  oneOf?: unknown
  allOf?: unknown
  additionalProperties?: unknown
}

/** Every property below a schema, with its path. */
function * propertiesOf (schema: Shape, path = ''): Iterable<[string, Shape]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${path}${name}`, property]
    yield * propertiesOf(property, `${path}${name}.`)
    if (property.items !== undefined) yield * propertiesOf(property.items, `${path}${name}[].`)
  }
}

const service = await testService(t)

t.test('every tool', async t => {
  for (const { operation, dottedName, annotations, group } of tools) {
    t.test(operation.name, async t => {
      const input = operation.input as Shape
      const output = operation.output as Shape
      t.match(operation.name, /^[a-z_]{1,64}$/, 'has a name that fits every client')
      t.ok(operationFiles.has(kebab(operation.name)), 'is in the file of its name')
      t.equal(dottedName, group === 'core' ? operation.name.replace('_', '.') : undefined, 'has a dotted name if the specification has it')
      if (dottedName !== undefined) t.equal(findTool(dottedName), findTool(operation.name), 'is found by both')
      t.ok(operation.scope !== undefined, 'can be called with a key')
      for (const schema of [input, output]) {
        t.equal(schema.type, 'object', 'has an object at the root')
        t.notOk(schema.anyOf ?? schema.oneOf ?? schema.allOf, 'has no combinator at the root')
        for (const [path, property] of propertiesOf(schema)) {
          t.ok(property.description, `describes ${path}`)
          t.notOk(Array.isArray(property.type), `has no list of types at ${path}`)
        }
      }
      for (const [path, property] of propertiesOf(input)) t.equal(typeof property.type, 'string', `gives the type of ${path}`)
      t.equal(input.additionalProperties, false, 'takes closed input')
      t.not(output.additionalProperties, false, 'publishes open output')
      t.ok(
        operation.description.length <= 2048 && /Example: \{.*\}$/.test(operation.description),
        'has a description with an example at its end'
      )
      t.doesNotThrow(() => operation.check(JSON.parse(/Example: (\{.*\})$/.exec(operation.description)![1]!)), 'takes its own example')
      for (const hint of ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']) {
        t.type((annotations as unknown as Record<string, unknown>)[hint], 'boolean', `states ${hint}`)
      }
      t.ok(
        routes.some(route => route.operation === operation),
        'has a REST route with the same operation'
      )
    })
  }
  const names = tools.flatMap(({ operation, dottedName }) => [operation.name, ...(dottedName === undefined ? [] : [dottedName])])
  t.equal(new Set(names).size, names.length, 'no name is used twice')
})

/** In the modern era, only clients that state that they show cards get the addresses of cards. */
const withoutCard = (item: { _meta?: { ui?: unknown } }) => {
  const { ui: _ui, ...meta } = item._meta ?? {}
  return { ...item, _meta: meta }
}

t.test('the published surface matches its snapshot', async t => {
  const { context, key: read } = await service.user()
  const { api_key: act } = await keyCreate.run(context, { name: 'Agent', scope: 'act' })
  const listed = async (method: string, key: string, query = '') => {
    const request = { jsonrpc: '2.0', id: 1, method }
    const [legacy, modern] = [await post(service, key, request, {}, query), await postModern(service, key, method, {}, {}, query)]
    const { result } = legacy.json()
    const items = method.replace('/list', '')
    t.strictSame(modern.json().result[items].map(withoutCard), result[items].map(withoutCard), `${method} is the same in both eras`)
    return result
  }
  /** Each item under its name, so that a change shows where it is. */
  const byName = (items: Array<{ name: string }>) => items.map(each => `${each.name}: ${compactJson(each as never)}`).join('\n\n')

  const [all, chatgpt] = [await listed('tools/list', act), await listed('tools/list', act, '?tools=chatgpt')]
  const published = [...all.tools, ...chatgpt.tools]
  t.strictSame(published.map(({ name }) => name).sort(), tools.map(({ operation }) => operation.name).sort(), 'every tool is listed')
  const core = (await listed('tools/list', read)).tools
  t.strictSame(core, published.slice(0, core.length), 'a key that reads sees the first of them, unchanged')
  t.matchSnapshot(byName(published), 'tools')
  t.matchSnapshot(core.map(({ name }: { name: string }) => name).join(' '), 'tools of a key that reads')
  t.matchSnapshot(byName((await listed('prompts/list', read)).prompts), 'prompts')
  for (const [scope, key] of Object.entries({ read, act })) {
    // The size changes with every edit of a card.
    const resources = (await listed('resources/list', key)).resources.map(({ size: _size, ...resource }: any) => resource)
    t.matchSnapshot(byName(resources), `resources of a key with the scope ${scope}`)
  }
  const openapi = (await service.app.inject('/api/openapi.json')).json()
  t.matchSnapshot(compactJson(openapi.components), 'credentials of the REST interface')
  t.matchSnapshot(describeRoutes(openapi), 'routes of the REST interface')
})

t.test('every route has the operation file of its name, and no two share an address', async t => {
  for (const { operation } of routes) t.ok(operationFiles.has(kebab(operation.name)), operation.name)
  t.equal(new Set(routes.map(({ method, url }) => `${method} ${url}`)).size, routes.length)
})

t.test('every error code has one class and a line in the documentation', async t => {
  const classes = Object.values(errors).filter(each => each !== errors.OperationError && each.prototype instanceof errors.OperationError)
  const codes = classes
    .map(
      Class =>
        new (Class as unknown as new (...args: unknown[]) => errors.OperationError)('x', Object.assign([], { items: [], total: 0 })).code
    )
    .sort()
  t.strictSame(codes, [...errorCodes].sort())
  for (const code of errorCodes) t.match(text('docs/api.md'), `\`${code}\``)
})

t.test('every setting is in .env.example with its default, and in the documentation', async t => {
  for (const [name, { schema }] of Object.entries(allSettings)) {
    const { default: value } = schema as { default?: unknown }
    t.match(
      text('.env.example'),
      new RegExp(value === undefined ? `^#${name}=$` : `^${name}=${String(value).replace(/[.]/g, '\\.')}$`, 'm')
    )
    t.match(text('docs/self-hosting.md'), `\`${name}\``)
  }
})

t.test('every migration comes after the one before', async t => {
  const names = Object.keys(migrations)
  t.strictSame(names, [...names].sort())
})

t.test('a backup contains every table except derived and transient ones', async t => {
  const { context } = service
  const tables = await context.db.introspection.getTables()
  t.strictSame(
    tables
      .map(({ name }) => name)
      .filter(name => !name.startsWith('kysely_'))
      .sort(),
    [...backupTables, ...derivedTables].sort()
  )
})

t.test('names of commands, formats and prompts are used once', async t => {
  for (const names of [commands.map(({ name }) => name), formats.map(({ name }) => name), prompts.map(({ name }) => name)]) {
    t.equal(new Set(names).size, names.length)
  }
})

t.test('every requirement has tests, and every numbered rule of the specification is a requirement', async t => {
  for (const [id, { tests }] of Object.entries(requirements)) {
    t.match(id, /^(spec:\d(\.\d)?|api|self-hosting|feeds|reliability|mcp)[:-][\w-]+$/)
    t.ok(tests.length > 0, id)
    for (const [file, name] of tests) {
      const source = text(`test/${file}`).replaceAll("\\'", "'")
      t.ok(["'", '`', '"'].some(quote => source.includes(`t.test(${quote}${name}${quote}`)), `${id}: ${file} has "${name}"`)
    }
  }
  for (const [section, count] of Object.entries(numberedRules)) {
    for (let rule = 1; rule <= count; rule++) t.ok(`spec:${section}-rule-${rule}` in requirements, `section ${section}, rule ${rule}`)
  }
})
