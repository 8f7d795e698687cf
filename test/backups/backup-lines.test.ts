import t from 'tap'
import { readBackupLines } from '../../src/backups/backup-lines.js'

const linesOf = async (chunks: Iterable<Buffer>) => {
  const lines: string[] = []
  for await (const line of readBackupLines(async function * () { yield * chunks }())) lines.push(line)
  return lines
}

t.test('lines do not depend on chunk boundaries, and U+2028 is not a line end', async t => {
  const text = Buffer.from('one\n{"title":"Gr\u00f6\u00dfe \u2028 \u{1f9ec}"}\n\nlast')
  for (const bytes of [1, 2, 3, 7, 1000]) {
    const chunks = Array.from({ length: Math.ceil(text.length / bytes) }, (_each, at) => text.subarray(at * bytes, (at + 1) * bytes))
    t.strictSame(await linesOf(chunks), ['one', '{"title":"Gr\u00f6\u00dfe \u2028 \u{1f9ec}"}', '', 'last'])
  }
})

t.test('reading applies backpressure', async t => {
  let read = 0
  const endless = async function * () { for (;;) { read++; yield Buffer.from('a line\n') } }
  let seen = 0
  for await (const line of readBackupLines(endless())) if (line === 'a line' && ++seen === 10) break
  t.equal(read, 10)
})
