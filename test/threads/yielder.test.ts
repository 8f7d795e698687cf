import t from 'tap'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { splitText } from '../../src/threads/split-text.js'
import { createYielder } from '../../src/threads/yielder.js'

/** Keeps the thread busy for longer than a slice. */
const work = () => { for (const began = performance.now(); performance.now() - began < 10;); }

t.test('of many loops, one continues in each turn of the event loop, in order', async t => {
  let turn = 0
  const end = new AbortController()
  const turns = (async () => { for (; !end.signal.aborted; turn++) await nextTurn() })()
  const continued: Array<{ loop: number, turn: number }> = []
  await Promise.all(['first', 'second', 'third', 'fourth'].map(async (_name, loop) => {
    const yieldIfDue = createYielder()
    for (let slice = 0; slice < 3; slice++) {
      work()
      await yieldIfDue()
      continued.push({ loop, turn })
    }
  }))
  end.abort()
  await turns
  t.strictSame(continued.map(({ loop }) => loop), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3])
  t.equal(new Set(continued.map(({ turn }) => turn)).size, continued.length, JSON.stringify(continued))
})

t.test('loops that begin in one turn share its slice', async t => {
  await nextTurn()
  const first = createYielder()
  work()
  const second = createYielder()
  const [firstWaits, secondWaits] = [first(), second()]
  t.ok(firstWaits)
  t.ok(secondWaits, 'although it has hardly run')
  await Promise.all([firstWaits, secondWaits])
})

t.test('a loop within its slice does not wait', async t => {
  await nextTurn()
  const now = performance.now()
  t.intercept(performance, 'now', { configurable: true, value: () => now })
  t.equal(createYielder()(), undefined)
})

t.test('texts are cut anywhere but between the halves of a surrogate pair', async t => {
  t.strictSame([...splitText('abcde', 2)], ['ab', 'cd', 'e'])
  t.strictSame([...splitText('a😀b😀', 2)], ['a😀', 'b😀'])
  t.strictSame([...splitText('', 2)], [])
})
