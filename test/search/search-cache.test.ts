import t from 'tap'
import { cachedPart, cachePart, evictReplaced } from '../../src/search/segment-cache.js'
import { directoryPart, encodeDirectory } from '../../src/search/segment.js'

t.test('evicts replaced segments after compaction', async t => {
  const cache = (segmentId: string) => cachePart(segmentId, directoryPart, encodeDirectory(['sleep']))
  for (const id of ['one', 'two', 'of another project']) cache(id)
  evictReplaced('project', ['one', 'two'])
  evictReplaced('another project', ['of another project'])
  evictReplaced('project', ['two', 'three'])
  t.equal(cachedPart('one', directoryPart), undefined)
  t.strictSame(cachedPart('two', directoryPart), ['sleep'])
  t.strictSame(cachedPart('of another project', directoryPart), ['sleep'])
})
