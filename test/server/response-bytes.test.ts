import t from 'tap'
import { toBytes } from '../../src/server/response-size.js'

t.test('a long text becomes the same bytes as at once', async t => {
  for (const text of ['short', 'a'.repeat(262_144), 'long text, '.repeat(100_000), `x${'😀'.repeat(400_000)}`, `x${'\ud800'.repeat(300_000)}`]) {
    const bytes = await toBytes(text)
    t.ok(bytes.equals(Buffer.from(text)), `${text.length} characters`)
  }
})
