import t from 'tap'
import { findFormat } from '../../../src/sources/formats/index.js'
import { takesLess } from '../../support/event-loop.js'
import { readAll } from '../../support/readings.js'

t.test('a table takes linear time and the memory of a row, whatever it contains', async t => {
  const units = [
    ',', '"', '""', '\n', '\r', ' ', '" ', '"x', ',"', '"\n', 'x', ';', 'Title,', 'Title,Year\n', 'Title,Authors\nx,"', 'a\tb\n', ' and ',
    'A B, '
  ]
  for (const start of ['', 'TITLE,T\nDOI,x\n', 'Title,Authors,Year\n', 'Title,Authors,Year\n"', 'PT\tAU\tTI\tSO\n']) {
    for (const unit of units) {
      const text = start + unit.repeat(Math.ceil(200_000 / unit.length))
      await takesLess(t, 2500, async () => { await readAll('csv', text) }, JSON.stringify([start, unit]))
    }
  }
  for (const unit of [' ', '|', '; ']) {
    const cell = `https://example.org/1${unit.repeat(100_000)}x`
    await takesLess(t, 1000, async () => { await readAll('csv', `Title,URL\nOne,"${cell}"\n`) }, JSON.stringify(['address', unit]))
  }
  t.match(await readAll('csv', 'Title|URL\nOne|"https://example.org/1; https://example.org/2"\n'), [
    { record: { url: 'https://example.org/1' } }
  ])
  const row = (at: number) => `Title ${at},"Doe, J.; Roe, R.",2026,"${'word, '.repeat(200)}"\n`
  let rows = 0
  async function * text () {
    yield 'Title,Authors,Year,Abstract\n'
    for (let time = 0; time < 10_000; time++) yield row(time)
  }
  await takesLess(t, 20_000, async () => { for await (const each of findFormat('csv')!.read(text())) if ('record' in each) rows++ })
  t.equal(rows, 10_000)
})
