import t from 'tap'
import { writeZip } from '../../src/files/zip.js'
import { until } from '../support/until.js'

t.test('an archive whose download is cancelled ends what it reads from', async t => {
  let hasEnded = false
  async function * parts () {
    try {
      for (;;) yield 'A line of a table.\n'.repeat(10_000)
    } finally {
      hasEnded = true
    }
  }
  let pieces = 0
  for await (const piece of writeZip([{ name: 'table.csv', parts: parts() }], new Date(0))) if (piece.length > 0 && ++pieces === 3) break
  await until(async () => hasEnded)
  t.equal(pieces, 3)
})
