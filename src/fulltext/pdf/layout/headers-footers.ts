import type { Line } from './lines.js'

/** Height of the header and of the footer as a share of the page height. */
const edgeShare = 0.1

/** A page with its lines. */
export interface PageLines { number: number, width: number, height: number, lines: Line[] }

/** Removes running headers, running footers and page numbers: text that repeats at the edge of several pages, ignoring digits. */
export function removeHeadersAndFooters<Page extends PageLines> (pages: Page[]): Page[] {
  const pageCounts = new Map<string, number>()
  for (const page of pages) {
    for (const key of new Set(page.lines.filter(line => atEdge(page, line)).map(keyOf))) pageCounts.set(key, (pageCounts.get(key) ?? 0) + 1)
  }
  const minPageCount = Math.max(2, Math.min(3, pages.length * 0.3))
  const isHeaderOrFooter = (line: Line) => {
    const key = keyOf(line)
    return isPageNumber(line.text) || (pages.length > 2 && key !== '' && pageCounts.get(key)! >= minPageCount)
  }
  return pages.map(page => ({ ...page, lines: page.lines.filter(line => !atEdge(page, line) || !isHeaderOrFooter(line)) }))
}

const atEdge = ({ height }: PageLines, { y }: Line) => y < height * edgeShare || y > height * (1 - edgeShare)

const keyOf = ({ text }: Line) => text.toLowerCase().replace(/\d+/g, '#').replace(/[^\p{L}#]/gu, '')

const isPageNumber = (text: string) => text.length < 12 && /^\W*(page\s*)?\d{0,5}(\s*(of|\/)\s*\d{1,5})?\W*$/i.test(text)
