import t from 'tap'
import { dedupe } from '../../src/papers/dedupe.js'
import { contradicts } from '../../src/papers/same-work.js'
import { importedFiles } from '../../src/papers/ownership.js'
import { PaperIndex } from '../../src/papers/paper-index.js'
import { registerSources } from '../../src/papers/source-traits.js'
import { sources } from '../../src/sources/index.js'
import { labeledPairs } from './duplicate-pairs.js'

registerSources(sources)

t.test('duplicates are found with precision .999 and recall .98 on labeled pairs', async t => {
  const pairs = labeledPairs()
  const counts = { found: 0, missed: 0, wrong: 0, right: 0 }
  const failures = new Map<string, string[]>()
  for (const { kind, same, one, other } of pairs) {
    // In either order, since sources are asked in any.
    for (const [first, second] of [[one, other], [other, one]] as const) {
      const isOne = (await dedupe([[structuredClone(first)], [structuredClone(second)]])).size === 1
      counts[same ? isOne ? 'found' : 'missed' : isOne ? 'wrong' : 'right']++
      if (isOne !== same) failures.set(kind, [...failures.get(kind) ?? [], `${one.title} / ${other.title} / ${other.authors[0]?.name}`])
    }
  }
  for (const [kind, each] of failures) t.comment(`${kind}: ${each.length}, such as ${each.slice(0, 3).join('; ')}`)
  const [precision, recall] = [counts.found / (counts.found + counts.wrong), counts.found / (counts.found + counts.missed)]
  t.comment(`${pairs.length} pairs, precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}`)
  t.ok(pairs.filter(({ same }) => same).length >= 400 && pairs.filter(({ same }) => !same).length >= 400)
  t.ok(precision >= 0.999, `precision ${precision}`)
  t.ok(recall >= 0.98, `recall ${recall}`)
})

t.test('imports keep the works of labeled pairs apart', async t => {
  const wrong: string[] = []
  let missed = 0
  for (const { kind, same, one, other } of labeledPairs()) {
    const index = new PaperIndex(importedFiles.isSameWork)
    index.add(structuredClone(one), { shared: false })
    const isOne = index.findAll(index.withoutOthersDoi(structuredClone(other))).some(({ record }) => !contradicts(record, other))
    // Importers know that editorials of one author, journal and year are one where neither states a page.
    if (isOne && !same && kind !== 'twins') wrong.push(`${kind}: ${one.title} / ${other.title}`)
    if (!isOne && same) missed++
  }
  t.strictSame(wrong, [])
  t.ok(missed < 0.02 * labeledPairs().filter(({ same }) => same).length, `${missed} missed`)
})
