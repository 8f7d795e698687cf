import { type Converted, NotConvertible } from '../converted.js'
import type { Block } from './layout/block.js'
import { composed } from './extract/characters.js'
import { withContinuations } from './layout/continuation.js'
import { extract } from './extract/extract.js'
import { withoutFurniture, type PageLines } from './layout/furniture.js'
import { markHeadings, setLevels } from './headings/headings.js'
import { joined, joinerOf } from './layout/hyphenation.js'
import { withLabels } from './layout/labels.js'
import { linesOf } from './layout/lines.js'
import { type Measures, measuresOf } from './extract/measures.js'
import { inReadingOrder } from './layout/order.js'
import type { DocumentFacts, Rule } from './extract/page.js'
import { paragraphsOf } from './layout/paragraphs.js'
import { withReferences } from './references/references.js'
import { render } from './render.js'
import { withRunInHeadings } from './headings/run-in.js'
import { TableReader, withContinuedTables } from './tables/tables.js'

const converter = 'litfeed-pdf 1'
/** More warnings say nothing new. */
const maxWarnings = 20
/** Letters per page below which a document is a scan. */
const leastLetters = 20

type Page = PageLines & { rules: Rule[] }

/** Converts a PDF to Markdown in this process; documents from outside go through the sandbox. @throws NotConvertible */
export async function pdfToMarkdown (bytes: Uint8Array): Promise<Converted> {
  const pages: Page[] = []
  const { facts, pageCount, warnings } = await extract(bytes, page => {
    pages.push({ number: page.number, width: page.width, height: page.height, rules: page.rules, lines: linesOf(page) })
  })
  if (pages.length === 0) throw new NotConvertible('damaged', 'The PDF is damaged: none of its pages can be read. Download it again.')
  const letters = pages.reduce((sum, { lines }) => sum + lines.reduce((sum, { letters }) => sum + letters, 0), 0)
  if (letters < leastLetters * Math.min(pageCount, pages.length)) throw new NotConvertible('no_text', 'The PDF has pictures of pages but no text: it is a scan. Run text recognition (OCR) over it and store the result.')
  return { markdown: composed(render(blocksOf(pages, facts))), converter, pages: pageCount, warnings: bounded(warnings) }
}

function blocksOf (all: Page[], facts: DocumentFacts): Block[] {
  const pages = withoutFurniture(all)
  const measures = measuresOf(pages.map(({ lines }) => lines))
  const join = joinerOf(pages.flatMap(({ lines }) => lines))
  const tables = new TableReader(measures, join)
  const blocks = pages.flatMap(page => blocksOfPage({ ...page, lines: withLabels(inReadingOrder(page, measures)) }, measures, tables))
  for (const block of blocks) if (block.kind !== 'table') block.text = joined(block.lines, join)
  const split = withRunInHeadings(blocks, measures)
  for (const block of split) if (block.kind !== 'table' && block.runIn !== true) block.text = joined(block.lines, join)
  markHeadings(split, measures, facts)
  setLevels(split, measures)
  return withContinuedTables(withContinuations(withReferences(split, measures, join), join))
}

function blocksOfPage (page: Page, measures: Measures, reader: TableReader): Block[] {
  const used = new Set<PageLines['lines'][number]>()
  const tables = reader.tablesOf(page, used).map(({ at, caption, table }) => ({ at, blocks: caption === null ? [table] : [caption, table] as Block[] }))
  const paragraphs = paragraphsOf(page, measures, used).map(({ at, block }) => ({ at, blocks: [block] as Block[] }))
  return [...tables, ...paragraphs].sort((a, b) => a.at - b.at).flatMap(({ blocks }) => blocks)
}

function bounded (warnings: string[]): string[] {
  return warnings.length <= maxWarnings ? warnings : [...warnings.slice(0, maxWarnings), `${warnings.length - maxWarnings} more warnings of this kind.`]
}
