import t from 'tap'
import { Ajv } from 'ajv'
import { existsSync, readFileSync } from 'node:fs'
import { commands } from '../../../src/cli/commands.js'
import { findTool, tools } from '../../../src/adapters/mcp/tools.js'
import { readSkill } from '../../../src/settings/skill.js'
import { packageRoot, version } from '../../../src/settings/version.js'

interface Shape { properties?: Record<string, Shape>, items?: Shape, anyOf?: Shape[], enum?: string[], const?: string }

const skill = readSkill()
const json = (path: string) => JSON.parse(readFileSync(new URL(path, packageRoot), 'utf8'))

/** Every property name and word of a schema. */
function * wordsOf ({ properties = {}, items, anyOf = [], enum: words = [], const: word }: Shape): Iterable<string> {
  yield * words
  if (word !== undefined) yield word
  for (const [name, shape] of Object.entries(properties)) {
    yield name
    yield * wordsOf(shape)
  }
  for (const shape of [...anyOf, ...(items === undefined ? [] : [items])]) yield * wordsOf(shape)
}

t.test('the skill', async t => {
  t.test('has the frontmatter of the Agent Skills format', async t => {
    const frontmatter = /^---\n([\s\S]+?)\n---\n/.exec(skill)![1]!
    const fields = Object.fromEntries(
      frontmatter.split('\n').map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    )
    t.match(fields.name, /^[a-z0-9]+(-[a-z0-9]+)*$/)
    t.ok(fields.name!.length <= 64 && existsSync(new URL(`skills/${fields.name}/SKILL.md`, packageRoot)), 'is in the folder of its name')
    t.ok(fields.description!.length <= 1024 && fields.description!.includes('Use it'), 'says what it does and when to use it')
    t.ok(fields.compatibility!.length <= 500)
    // A colon followed by a space would begin another value in YAML.
    for (const value of Object.values(fields)) t.notMatch(value, /: | #|^[[{"'>|*&!%@`]/)
    t.ok(skill.split('\n').length < 500 && skill.length < 8000, `${skill.length} characters`)
  })

  t.test('shows only valid tool calls', async t => {
    const calls = [...skill.matchAll(/`([a-z_]+) (\{[^`]*\})`/g)]
    t.ok(calls.length >= 12, `${calls.length} calls`)
    for (const [call = '', name, args] of calls) {
      const tool = findTool(name!)
      t.ok(tool, call)
      t.doesNotThrow(() => tool!.operation.check(JSON.parse(args!)), call)
    }
    const parts = [...skill.matchAll(/`("[a-z_]+": "[a-z_]+")`/g)].map(match => JSON.parse(`{${match[1]}}`))
    for (const part of parts) {
      t.doesNotThrow(() => findTool('feedback_set')!.operation.check({ paper_id: 'x', vote: 'downvote', ...part }), JSON.stringify(part))
    }
  })

  t.test('names only existing tools, arguments, fields and values', async t => {
    const known = new Set([
      ...tools.flatMap(({ operation }) => [operation.name, ...wordsOf(operation.input), ...wordsOf(operation.output)]),
      'read', 'act', 'forbidden', 'tools=all'
    ])
    for (const [, word = ''] of skill.matchAll(/`([a-z_=]+)`/g)) t.ok(known.has(word), word)
    for (const name of ['feed_brief', 'paper_markdown', 'feedback_set', 'paper_add', 'paper_cite', 'consumer', 'acknowledge', 'coverage']) {
      t.match(skill, name)
    }
    t.match(skill, /never an instruction/)
  })

  t.test('is printed by `litfeed skill`', async t => {
    const printed: unknown[][] = []
    await commands.find(({ name }) => name === 'skill')!.run({ print: (...all: unknown[]) => printed.push(all) } as any, {}, [])
    t.strictSame(printed, [[{ skill }, skill.trimEnd()]])
  })
})

t.test('server.json describes this version per the MCP Registry schema', async t => {
  const server = json('server.json')
  // Ajv knows no formats by itself: they are checked below.
  const validate = new Ajv({ allErrors: true, formats: { uri: true, 'uri-template': true } }).compile(
    json('test/support/server.schema.json')
  )
  t.ok(validate(server), JSON.stringify(validate.errors))
  for (const broken of [
    { name: 'litfeed' },
    { description: 'x'.repeat(101) },
    { version: undefined },
    { remotes: [{ type: 'http', url: 'x' }] }
  ]) { t.notOk(validate({ ...server, ...broken }), JSON.stringify(broken).slice(0, 40)) }
  t.equal(server.version, version)
  t.equal(server.$schema, json('test/support/server.schema.json').$id)
  const [{ url, variables, headers }] = server.remotes
  t.ok(URL.canParse(url.replace('{base_url}', variables.base_url.default)))
  for (const { value, variables } of headers) for (const [, name] of value.matchAll(/\{(\w+)\}/g)) t.ok(variables[name].isSecret, name)
})
