import t from 'tap'
import { LineNumberFinder } from '../../../src/fulltext/pdf/layout/line-numbers.js'
import { takesLess } from '../../support/event-loop.js'

t.test('a page of many thousand numbers takes little time', async t => {
  const count = 20_000
  const at = { y: 0, width: 10, size: 8, font: 'F' }
  const items = Array.from({ length: count }, (_each, place) => {
    const y = place / count * 700
    return [{ ...at, text: String(place), x: 20, y }, { ...at, text: 'word', x: 60, y }]
  }).flat()
  const page = { number: 1, width: 600, height: 800, items, rules: [] } as unknown as Parameters<LineNumberFinder['find']>[0]
  await takesLess(t, 500, () => new LineNumberFinder().find(page))
})
