import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { NotConvertible } from '../src/fulltext/converter-result.js'
import { jatsToMarkdown } from '../src/fulltext/jats/jats.js'
import { reportBound } from './report.js'

/* Measures the conversion of JATS: node dist/bench/jats.js FOLDER [OUT_DIR]. With OUT_DIR, writes the Markdown there. */

const [folder, out] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/jats.js FOLDER [OUT_DIR]')

const files = readdirSync(folder).filter(file => /\.n?xml$/.test(file)).sort()
const texts = files.map(file => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
const convert = (): Array<{ file: string, markdown?: string, fault?: string, warnings: string[] }> => texts.map(({ file, text }) => {
  try {
    return { file, ...jatsToMarkdown(text) }
  } catch (error) {
    if (!(error instanceof NotConvertible)) throw error
    return { file, fault: `${error.reason}: ${error.message}`, warnings: [] }
  }
})

for (const { file, markdown, fault, warnings } of convert()) {
  if (fault !== undefined) process.stdout.write(`${file}: ${fault}\n`)
  for (const warning of warnings) process.stdout.write(`${file}: ${warning}\n`)
  if (out === undefined || markdown === undefined) continue
  mkdirSync(out, { recursive: true })
  writeFileSync(join(out, `${basename(file, extname(file))}.md`), markdown)
}

const began = performance.now()
const rounds = 5
for (let round = 0; round < rounds; round++) convert()
const papers = rounds * files.length / ((performance.now() - began) / 1000)
process.stdout.write('| measurement | result | target |\n| --- | --- | --- |\n')
reportBound(`JATS to Markdown, ${files.length} papers`, papers, 'papers/s', 20, 'at least')
