import t from 'tap'
import { PairIndex } from '../../src/relevance/pair-index.js'

t.test('an index of pairs numbers them in the order in which they were added, however many', async t => {
  const index = new PairIndex()
  const pairs = Array.from({ length: 3000 }, (_each, at): [number, number] => [at % 61, Math.floor(at / 61) - 2])
  t.strictSame(pairs.map(pair => index.add(...pair)), [...pairs.keys()])
  t.strictSame(pairs.map(pair => index.add(...pair)), [...pairs.keys()], 'a known pair keeps its number')
  t.strictSame(pairs.map(pair => index.find(...pair)), [...pairs.keys()])
  t.strictSame([...pairs.keys()].map(number => index.pair(number)), pairs)
  t.equal(index.size, pairs.length)
  t.equal(index.find(47, 61), -1)
  t.equal(new PairIndex().find(0, 0), -1)
})
