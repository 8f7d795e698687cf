import t from 'tap'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { answerAll } from '../../../src/adapters/mcp/batch.js'
import { joined } from '../../../src/server/json-parts.js'

/** Keeps the thread busy for longer than a slice. */
const work = () => { for (const began = performance.now(); performance.now() - began < 6;); }

t.test('batches whose messages wait for nothing let other requests run between messages', async t => {
  let turn = 0
  const end = new AbortController()
  const turns = (async () => { for (; !end.signal.aborted; turn++) await nextTurn() })()
  const answeredIn: number[] = []
  const messages = Array.from({ length: 5 }, (_each, at) => at)
  const batches = await Promise.all(['first', 'second'].map(async () => await answerAll(messages, async message => {
    work()
    answeredIn.push(turn)
    return joined(String(message))
  }, () => undefined, () => false)))
  end.abort()
  await turns
  for (const answers of batches) t.strictSame(answers.map(answer => answer.parts.join('')), ['0', '1', '2', '3', '4'])
  // The first two of each batch begin together.
  t.ok(new Set(answeredIn).size >= 1 + 2 * (messages.length - 2), answeredIn.join(', '))
})
