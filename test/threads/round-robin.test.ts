import t from 'tap'
import { RoundRobin } from '../../src/threads/round-robin.js'

t.test('owners take turns, each in its own order', t => {
  const waiting = new RoundRobin<string>()
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']) waiting.add(item[0]!, item)
  t.equal(waiting.size, 6)
  t.strictSame(['a1', 'b1'], [waiting.take(), waiting.take()])
  waiting.add('d', 'd1')
  t.strictSame(Array.from({ length: 6 }, () => waiting.take()), ['c1', 'a2', 'b2', 'd1', 'a3', undefined])
  t.equal(waiting.size, 0)
  t.end()
})

t.test('what no longer waits is not taken', t => {
  const waiting = new RoundRobin<string>()
  for (const item of ['a1', 'a2', 'b1']) waiting.add(item[0]!, item)
  waiting.remove('a', 'a1')
  waiting.remove('a', 'a1')
  waiting.remove('c', 'c1')
  waiting.remove('b', 'b1')
  t.equal(waiting.size, 1)
  t.strictSame([waiting.take(), waiting.take()], ['a2', undefined])
  t.end()
})
