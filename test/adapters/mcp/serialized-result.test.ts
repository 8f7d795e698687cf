import t from 'tap'
import { toolResult } from '../../../src/adapters/mcp/serialized-result.js'

const parse = ({ members }: Awaited<ReturnType<typeof toolResult>>) => {
  const bytes = Buffer.concat(members.parts.map(part => Buffer.from(part as string)))
  return JSON.parse(`{${bytes.toString()}}`) as { content: [{ text: string }], structuredContent: unknown }
}

t.test('a long text is sent twice, and no string or buffer has all of it', async t => {
  const markdown = 'Long text, “quoted”\n\\ and 😀. '.repeat(20_000)
  const result = await toolResult({ markdown, items: [{ id: 1 }, { id: 2 }], none: undefined }, [])
  const { content: [{ text }], structuredContent } = parse(result)
  t.strictSame(structuredContent, { markdown, items: [{ id: 1 }, { id: 2 }] })
  t.strictSame(JSON.parse(text), structuredContent)
  t.equal(result.members.length, result.members.parts.map(String).join('').length, 'its length is in characters')
  const longest = Math.max(...result.members.parts.map(({ length }) => length))
  t.ok(longest < markdown.length / 2, `${longest} of ${markdown.length}`)
})

t.test('a text that escapes make too long names the arguments that page', async t => {
  const markdown = '\u0001'.repeat(1_000_000)
  await t.rejects(toolResult({ markdown }, ['paper_id', 'offset', 'max_chars']), {
    code: 'result_too_large', message: /Read it in parts: pass max_chars, or outline and section, and continue with offset\.$/
  })
})
