import { registerSources } from '../src/papers/source-traits.js'
import { sources } from '../src/sources/index.js'
import { accuracyOf, falseMergesOf, measurePairs, pairsOf, readFolder } from './labeled-records.js'

registerSources(sources)

/*
 * Measures how well records of one paper are merged, on recorded answers of sources and files of reference managers:
 * RECORDS_DIR=FOLDER node dist/bench/duplicates.js. FAILURES=20 prints as many failures of each kind.
 */

const folder = process.env.RECORDS_DIR
if (folder === undefined) throw new Error('Set RECORDS_DIR to a folder of recorded answers')
const maxFailures = Number(process.env.FAILURES ?? 0)

const records = await readFolder(folder)
const counts = await measurePairs(await pairsOf(records))
process.stdout.write(`${records.length} records\n\n| Pairs, each in both orders | Number | Merged | Share right |\n| --- | --- | --- | --- |\n`)
for (const { kind, same, pairs, merged, failures } of counts) {
  const right = same ? merged / pairs : 1 - merged / pairs
  process.stdout.write(`| ${kind} | ${pairs} | ${merged} | ${right.toFixed(4)} |\n`)
  for (const failure of failures.slice(0, maxFailures)) process.stdout.write(`    ${failure}\n`)
}
const { precision, recall } = accuracyOf(counts)
process.stdout.write(`\nprecision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}\n`)
const { pairs, merged, works, wrong, maxOfPairs, maxOfWorks } = falseMergesOf(counts)
process.stdout.write(
  `merged by mistake: ${merged} of ${pairs} pairs (at most ${maxOfPairs.toFixed(5)} with 95 % confidence), ` +
  `of ${wrong} of ${works} works (at most ${maxOfWorks.toFixed(5)})\n`
)
