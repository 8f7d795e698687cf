import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pdfToMarkdown } from '../src/fulltext/pdf/convert.js'

/*
 * Measures the conversion of PDFs: node dist/bench/pdf.js FOLDER [OUT_DIR]. Converts each PDF of the folder in this process and, with
 * OUT_DIR, writes its Markdown there. Prints pages per second of processor time, and the maximum resident memory.
 */

const [folder, out] = process.argv.slice(2)
if (folder === undefined) throw new Error('Usage: node dist/bench/pdf.js FOLDER [OUT_DIR]')
if (out !== undefined) mkdirSync(out, { recursive: true })

let pages = 0
const names = readdirSync(folder).filter(name => name.endsWith('.pdf')).sort()
const start = process.cpuUsage()
for (const name of names) {
  try {
    const { markdown, pages: read, warnings } = await pdfToMarkdown(new Uint8Array(readFileSync(join(folder, name))))
    pages += read ?? 0
    if (out !== undefined) writeFileSync(join(out, name.replace(/\.pdf$/, '.md')), markdown)
    for (const warning of warnings) process.stdout.write(`${name}: ${warning}\n`)
  } catch (error) {
    process.stdout.write(`${name}: ${error instanceof Error ? error.message : String(error)}\n`)
  }
}
const { user, system } = process.cpuUsage(start)
const seconds = (user + system) / 1e6
process.stdout.write(
  `${names.length} documents, ${pages} pages, ${(pages / seconds).toFixed(1)} pages/s, ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB maximum\n`
)
