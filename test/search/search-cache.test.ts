import t from 'tap'
import { directoryPart, keep, keepOnly, kept } from '../../src/search/block-cache.js'
import { encodeDirectory } from '../../src/search/segment.js'

t.test('what searches have read is let go with the segment that it is of', async t => {
  const read = (segmentId: string) => keep(segmentId, directoryPart, encodeDirectory(['sleep']))
  for (const id of ['one', 'two', 'of another project']) read(id)
  keepOnly('project', ['one', 'two'])
  keepOnly('another project', ['of another project'])
  keepOnly('project', ['two', 'three'])
  t.equal(kept('one', directoryPart), undefined)
  t.strictSame(kept('two', directoryPart), ['sleep'])
  t.strictSame(kept('of another project', directoryPart), ['sleep'])
})
