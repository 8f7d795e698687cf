import t from 'tap'
import { PassThrough } from 'node:stream'
import { progressBar, progressLines } from '../../src/cli/progress.js'

t.test('progress lines are drawn over the previous ones, cut to the width of the terminal', async t => {
  const terminal = Object.assign(new PassThrough({ encoding: 'utf8' }), { columns: 10 })
  const lines = progressLines(terminal)
  // The second lines must come too soon.
  t.intercept(performance, 'now', { configurable: true, value: () => 1000 })
  lines.show(['arxiv: 1 found', 'pubmed'])
  t.equal(terminal.read(), 'arxiv: 1 \npubmed\n')
  lines.show(['too soon'])
  t.equal(terminal.read(), null)
  lines.clear()
  t.equal(terminal.read(), '\u001b[2A\u001b[0J')
  lines.clear()
  t.equal(terminal.read(), null, 'nothing is left to erase')
})

t.test('a progress bar is full only at 100 %', async t => {
  t.equal(progressBar(0), `${'░'.repeat(40)} 0 %`)
  t.equal(progressBar(0.5), `${'█'.repeat(20)}${'░'.repeat(20)} 50 %`)
  t.match(progressBar(0.999), /99 %$/)
  t.equal(progressBar(1.2), `${'█'.repeat(40)} 100 %`)
})
