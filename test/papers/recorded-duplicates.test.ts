import t from 'tap'
import { accuracyOf, falseMergesOf, measurePairs, pairsOf, readFolder } from '../../bench/labeled-records.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'

registerSources(sources)

// Invented works as Crossref, OpenAlex, Europe PMC, PubMed, arXiv and reference managers state them.
const folder = new URL('../../../test/papers/recorded', import.meta.url).pathname

t.test('records of one paper are merged with precision .999 and recall .98 where identifiers are missing', async t => {
  const records = await readFolder(folder)
  const counts = await measurePairs(await pairsOf(records))
  for (const { kind, pairs, merged, failures } of counts) t.comment(`${kind}: ${merged} of ${pairs} merged. ${failures.slice(0, 3).join('; ')}`)
  t.ok(records.length > 100, `${records.length} records`)
  const number = (isSame: boolean) => counts.filter(({ same }) => same === isSame).reduce((sum, { pairs }) => sum + pairs, 0)
  t.ok(number(true) > 500 && number(false) > 3000, `${number(true)} and ${number(false)} pairs`)
  const { precision, recall } = accuracyOf(counts)
  t.ok(precision >= 0.999, `precision ${precision}`)
  t.ok(recall >= 0.98, `recall ${recall}`)
  const { merged, pairs, maxOfPairs } = falseMergesOf(counts)
  t.equal(merged, 0)
  t.ok(maxOfPairs < 0.002, `at most ${maxOfPairs} of ${pairs} pairs with 95 % confidence`)
})
