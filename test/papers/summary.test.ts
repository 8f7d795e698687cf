import t from 'tap'
import { summaryOf } from '../../src/papers/summary.js'

const filler = (count: number) => 'Much has been written of it in many places. '.repeat(count).trim()

t.test('a summary', async t => {
  t.test('is null without an abstract, or a whole short abstract', async t => {
    t.equal(summaryOf(null), null)
    t.equal(summaryOf('  '), null)
    t.equal(summaryOf('We looked.\nWe saw.'), 'We looked. We saw.')
  })
  t.test('of a structured abstract is its unlabeled results and conclusion', async t => {
    const abstract = `BACKGROUND: ${filler(5)}\n\nMETHODS: ${filler(5)}\n\nRESULTS: Vision improved in 12 of 14 mice, i.e. most of them.\n\nCONCLUSIONS: Base editing works.`
    t.equal(summaryOf(abstract), 'Vision improved in 12 of 14 mice, i.e. most of them. Base editing works.')
  })
  t.test('of a long abstract are the sentences with the results, in order', async t => {
    const summary = summaryOf(
      `Sleep matters to all. ${filler(8)} We show that spindles predict recall. ${filler(8)} These results suggest a cause.`
    )!
    t.match(summary, /We show that spindles predict recall\..*These results suggest a cause\.$/)
    t.ok(summary.length <= 400)
  })
  t.test('takes linear time for many abbreviations', async t => {
    const abstract = 'Dr. '.repeat(5000)
    const searches = t.capture(RegExp.prototype, 'test', RegExp.prototype.test)
    summaryOf(abstract)
    const read = searches().reduce((sum, { args: [text] }) => sum + (text.startsWith('Dr.') ? text.length : 0), 0)
    t.ok(read < 10 * abstract.length, `${read} characters were searched of ${abstract.length}`)
  })
  t.test('cuts between characters', async t => {
    const summary = summaryOf(`${'文'.repeat(399)}𠮷${'文'.repeat(600)}`)!
    t.ok(summary.isWellFormed())
    t.ok(summary.length <= 402)
  })
  t.test('takes linear time for any input', async t => {
    for (const text of ['a'.repeat(5_000_000), 'x. '.repeat(1_000_000), 'RESULTS: '.repeat(100_000), '\n\n'.repeat(1_000_000)]) {
      t.ok((summaryOf(text)?.length ?? 0) <= 402)
    }
  })
})
