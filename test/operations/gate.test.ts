import t from 'tap'
import { type TObject, Type } from 'typebox'
import { tools } from '../../src/adapters/mcp/tools.js'
import { routes } from '../../src/adapters/rest/routes.js'
import { tasks } from '../../src/adapters/jobs/tasks.js'
import { pages } from '../../src/adapters/web/pages.js'
import { commands } from '../../src/cli/commands.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import { type AnyOperation, operation } from '../../src/operations/operation.js'
import type { Context, ServiceContext } from '../../src/operations/context.js'
import { TaskStopped } from '../../src/threads/worker-pool.js'
import { forbidden, smallestInput, valid } from '../support/forbidden.js'
import { operations } from '../support/operations.js'

/** Operations that servers, schedules and completions run by themselves, without a table. */
const unlisted = new Set(['project_keywords', 'atom_feed', 'readiness', 'service_state', 'queue_due', 'maintenance'])

const exposures: ReadonlyArray<[adapter: string, operation: AnyOperation]> = [
  ...tools.map(({ operation }): [string, AnyOperation] => [`tool ${operation.name}`, operation]),
  ...routes.map(({ method, url, operation }): [string, AnyOperation] => [`${method} ${url}`, operation]),
  ...pages.flatMap(({ url, operations, actions }) => [
    ...operations.map((operation): [string, AnyOperation] => [`page ${url}`, operation]),
    ...Object.entries(actions).flatMap(([name, action]) =>
      action.operations.map((operation): [string, AnyOperation] => [`action ${name} of ${url}`, operation])
    )
  ]),
  ...commands.flatMap(({ name, operations }) => operations.map((operation): [string, AnyOperation] => [`litfeed ${name}`, operation])),
  ...tasks.map(({ task, operation }): [string, AnyOperation] => [`job ${task}`, operation])
]

t.test('every operation', async t => {
  t.equal(new Set(operations.map(({ name }) => name)).size, operations.length, 'uses each name once')
  const exposed = new Set(exposures.map(([, operation]) => operation))
  for (const operation of operations) {
    t.ok(exposed.has(operation) || unlisted.has(operation.name), `${operation.name} is exposed by an adapter`)
  }
  for (const [adapter, operation] of exposures) t.ok(operations.includes(operation), `${adapter} exposes ${operation.name} of src/operations`)
  for (const operation of operations) {
    t.ok(Object.isFrozen(operation), `${operation.name} cannot be changed`)
    t.notOk('handler' in operation, `${operation.name} hides its handler`)
  }
})

/** Fails the test where anything of it is touched: an operation that refuses its input looks at nothing. */
const untouchable = new Proxy(
  {},
  {
    get (_target, member) {
      throw new Error(`The context was asked for ${String(member)}.`)
    }
  }
) as ServiceContext

t.test('every operation accepts valid input', async t => {
  for (const operation of operations) {
    t.doesNotThrow(() => operation.check(smallestInput(operation.input)), `${operation.name}: required properties`)
    t.doesNotThrow(() => operation.check(valid(operation.input)), `${operation.name}: all properties`)
  }
})

t.test('an operation cannot be defined with an input that accepts unknown properties', async t => {
  const define = (input: TObject) => operation({
    name: 'open', title: 'Open', description: 'Open.', input, output: Type.Object({}), handler: async () => ({})
  })
  t.throws(() => define(Type.Object({})), { message: 'open: input accepts unknown properties. Set additionalProperties: false.' })
  const inner = Type.Array(Type.Object({}))
  t.throws(() => define(Type.Object({ each: inner }, { additionalProperties: false })), { message: /^open: input\.each\[\] accepts/ })
})

t.test('every operation rejects schema violations before any query', async t => {
  for (const operation of operations) {
    for (const [what, input] of forbidden(operation.input)) {
      const refused = await operation.run(untouchable, input).then(() => undefined, (error: InvalidArguments) => error)
      t.match(refused, { code: 'invalid_arguments', status: 400 }, `${operation.name}: ${what}`)
      t.throws(() => operation.check(input), { message: refused?.message ?? '' })
    }
  }
})

t.test('work that a thread did not start can be tried again soon, work that it did not end cannot', async t => {
  const stopped = (reason: TaskStopped['reason']) => operation({
    name: 'stopped',
    title: 'Stop',
    description: 'Stops.',
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Object({}),
    async handler () { throw new TaskStopped(reason, 'The thread stopped.') }
  }).run({} as Context, {})
  await t.rejects(stopped('queue_full'), { status: 503, retryAfter: 5, message: /^The service is overloaded\./ })
  for (const reason of ['timeout', 'out_of_memory'] as const) {
    await t.rejects(stopped(reason), { status: 503, code: 'work_stopped', retryAfter: undefined, message: /^This took more time or memory/ })
  }
})
