import { type ConverterResult, NotConvertible } from '../converter-result.js'
import type { Block } from './layout/block.js'
import { composeAccents } from './extract/characters.js'
import { joinContinuations } from './layout/continuation.js'
import { extract } from './extract/extract.js'
import { removeHeadersAndFooters, type PageLines } from './layout/headers-footers.js'
import { markHeadings, setLevels } from './headings/headings.js'
import { joinLines, createJoiner } from './layout/hyphenation.js'
import { joinLabels } from './layout/label-runs.js'
import { reorderLabels } from './layout/labels.js'
import { LineNumberFinder } from './layout/line-numbers.js'
import { buildLines } from './layout/lines.js'
import { type TextMetrics, measureText } from './extract/text-metrics.js'
import { toReadingOrder } from './layout/order.js'
import type { DocumentMetadata, Rule } from './extract/page.js'
import { groupParagraphs } from './layout/paragraphs.js'
import { splitReferences } from './references/references.js'
import { render } from './render.js'
import { splitRunInHeadings } from './headings/run-in.js'
import { TableReader } from './tables/tables.js'

const converter = 'litfeed-pdf 1'
/** Limits the length of the warning list. */
const maxWarnings = 20
/** A document with fewer letters per page counts as a scan. */
const minLettersPerPage = 20
/** So does one of which this share of the pages is empty, all but the first and the last, unless these have much text. */
const [minEmptyShare, minLettersPerPageBetweenImages] = [0.8, 400]

type Page = PageLines & {
  rules: Rule[]
  /** The lines without numbers in a margin, which may count the lines or the rows of a table. */
  unnumbered: PageLines['lines'] | null
}

/** Converts a PDF to Markdown in this process. Convert untrusted documents in the sandbox instead. @throws NotConvertible */
export async function pdfToMarkdown (bytes: Uint8Array): Promise<ConverterResult> {
  const pages: Page[] = []
  const lineNumbers = new LineNumberFinder()
  const { metadata, pageCount, warnings, losses } = await extract(bytes, page => {
    const { number, width, height, rules, items } = page
    const numbers = lineNumbers.find(page)
    pages.push({
      number,
      width,
      height,
      rules,
      lines: buildLines(page),
      unnumbered: numbers.size === 0 ? null : buildLines({ ...page, items: items.filter(item => !numbers.has(item)) })
    })
  })
  if (lineNumbers.areUsual()) for (const page of pages) page.lines = page.unnumbered ?? page.lines
  if (pages.length === 0) throw new NotConvertible('damaged', 'The PDF is damaged: no page can be read. Download it again.')
  const kept = removeHeadersAndFooters(pages)
  const markdown = isScan(kept, pageCount) ? '' : composeAccents(render(buildBlocks(kept, metadata)))
  if (markdown.trim() === '') {
    throw new NotConvertible('no_text', 'The PDF is a scan: it contains page images but no text. Run OCR on it and upload the result.')
  }
  return { markdown, converter, pages: pageCount, warnings: limitWarnings(warnings), losses: limitWarnings(losses) }
}

/** Whether the pages are images, as in scans, also behind a cover page with text. @param pages without running headers and stamps */
function isScan (pages: Page[], pageCount: number): boolean {
  const lettersByPage = new Map(pages.map(({ number }) => [number, 0]))
  for (const { number, lines } of pages) {
    lettersByPage.set(number, lines.reduce((sum, { letters }) => sum + letters, lettersByPage.get(number)!))
  }
  const counts = [...lettersByPage.values()]
  const letters = counts.reduce((sum, count) => sum + count, 0)
  if (letters < minLettersPerPage * Math.min(pageCount, counts.length)) return true
  const isEmpty = counts.map(count => count < minLettersPerPage)
  const emptyShare = isEmpty.filter(Boolean).length / counts.length
  return isEmpty.slice(1, -1).every(Boolean) && emptyShare >= minEmptyShare && letters < minLettersPerPageBetweenImages * counts.length
}

function buildBlocks (pages: Page[], metadata: DocumentMetadata): Block[] {
  const metrics = measureText(pages.map(({ lines }) => lines))
  const join = createJoiner(pages.flatMap(({ lines }) => lines))
  const tables = new TableReader(metrics, join)
  const blocks = pages.flatMap(page => buildPageBlocks({ ...page, lines: reorderLabels(toReadingOrder(page, metrics)) }, metrics, tables))
  for (const block of blocks) if (block.kind !== 'table') block.text = joinLines(block.lines, join)
  const split = splitRunInHeadings(blocks, metrics)
  for (const block of split) if (block.kind !== 'table' && block.runIn !== true) block.text = joinLines(block.lines, join)
  markHeadings(split, metrics, metadata)
  setLevels(split, metrics)
  return joinLabels(joinContinuations(splitReferences(split, metrics, join), join))
}

/** Blocks with the index of their first line on the page. */
interface Placed { lineIndex: number, blocks: Block[] }

function buildPageBlocks (page: Page, metrics: TextMetrics, reader: TableReader): Block[] {
  const used = new Set<PageLines['lines'][number]>()
  const tables = reader.readTables(page, used)
    .map(({ lineIndex, caption, table }): Placed => ({ lineIndex, blocks: caption === null ? [table] : [caption, table] }))
  const paragraphs = groupParagraphs(page, metrics, used).map(({ lineIndex, block }): Placed => ({ lineIndex, blocks: [block] }))
  return [...tables, ...paragraphs].sort((a, b) => a.lineIndex - b.lineIndex).flatMap(({ blocks }) => blocks)
}

function limitWarnings (warnings: string[]): string[] {
  return warnings.length <= maxWarnings
    ? warnings
    : [...warnings.slice(0, maxWarnings), `${warnings.length - maxWarnings} more warnings omitted.`]
}
