import t from 'tap'
import { mebibytes } from '../../schemas/mebibytes.js'

t.test('sizes are in MiB, with at most one decimal', async t => {
  t.strictSame([0, 60_000, 1_572_864, 67_108_864, 1e9].map(mebibytes), ['0 MiB', '0.1 MiB', '1.5 MiB', '64 MiB', '953.7 MiB'])
})
