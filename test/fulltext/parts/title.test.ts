import t from 'tap'
import { plainTitle } from '../../../src/fulltext/parts/title.js'

t.test('the title of a section is its heading in plain words', async t => {
  t.equal(plainTitle('## 2.1 *Deep* sleep in [mice](https://example.org) ##\nText'), '2.1 Deep sleep in mice')
  t.equal(plainTitle('# H<sub>2</sub>O \\# 1'), 'H2O # 1')
  t.equal(plainTitle(''), '')
})

t.test('a long title ends at a word, with an ellipsis', async t => {
  const title = plainTitle(`# ${'word '.repeat(100)}`)
  t.ok(title.length <= 202)
  t.match(title, /word …$/)
})
