import type { Line } from './lines.js'

/** Height of the header and of the footer as a share of the page height. */
const edgeShare = 0.1
/** Wide margins push them further in, where they are the outermost lines and stay at their height. */
const [innerEdgeShare, outermostLines] = [0.16, 2]

/** A text at the same place of this share of the pages is a watermark or a stamp. */
const minStampShare = 0.6

/** A page with its lines. */
export interface PageLines { number: number, width: number, height: number, lines: Line[] }

/** Removes running headers, running footers and page numbers: text that repeats at the edge of several pages, ignoring digits. */
export function removeHeadersAndFooters<Page extends PageLines> (pages: Page[]): Page[] {
  const pageCounts = new Map<string, number>()
  const outermost = new Map(pages.map(page => [page, findOutermost(page)]))
  for (const page of pages) {
    const keys = [
      ...page.lines.filter(line => atEdge(page, line)).map(keyOf),
      ...page.lines.filter(line => outermost.get(page)!(line)).map(keyWithHeight)
    ]
    for (const key of new Set(keys)) pageCounts.set(key, (pageCounts.get(key) ?? 0) + 1)
  }
  const stamps = findStamps(pages)
  const minPageCount = Math.max(2, Math.min(3, pages.length * 0.3))
  const isHeaderOrFooter = (line: Line) => {
    const key = keyOf(line)
    return isPageNumber(line.text) || (pages.length > 2 && key !== '' && pageCounts.get(key)! >= minPageCount)
  }
  return pages.map(page => ({
    ...page,
    lines: page.lines.filter(line =>
      !stamps.has(placeOf(line)) &&
      !(atEdge(page, line) && isHeaderOrFooter(line)) &&
      !(outermost.get(page)!(line) && /\p{L}{3}/u.test(line.text) && pageCounts.get(keyWithHeight(line))! >= Math.max(3, minPageCount)))
  }))
}

/** Finds text that repeats at one place, wherever on the page: "ACCEPTED MANUSCRIPT". */
function findStamps (pages: PageLines[]): Set<string> {
  const pageCounts = new Map<string, number>()
  for (const { lines } of pages) {
    for (const place of new Set(lines.filter(({ text }) => /\p{L}{3}/u.test(text)).map(placeOf))) {
      pageCounts.set(place, (pageCounts.get(place) ?? 0) + 1)
    }
  }
  return new Set([...pageCounts].filter(([, count]) => count >= Math.max(3, minStampShare * pages.length)).map(([place]) => place))
}

const placeOf = ({ text, x0, y }: Line) => `${Math.round(x0)} ${Math.round(y)} ${text}`

const atEdge = ({ height }: PageLines, { y }: Line) => y < height * edgeShare || y > height * (1 - edgeShare)

/** Returns whether a line is one of the outermost of a page, beyond the edge. */
function findOutermost (page: PageLines): (line: Line) => boolean {
  const ys = [...new Set(page.lines.map(({ y }) => Math.round(y)))].sort((a, b) => a - b)
  const [top, bottom] = [ys[outermostLines - 1] ?? 0, ys.at(-outermostLines) ?? Infinity]
  return line => !atEdge(page, line) &&
    ((line.y < page.height * innerEdgeShare && Math.round(line.y) <= top) ||
      (line.y > page.height * (1 - innerEdgeShare) && Math.round(line.y) >= bottom))
}

const keyWithHeight = (line: Line) => `${Math.round(line.y)} ${keyOf(line)}`

const keyOf = ({ text }: Line) => text.toLowerCase().replace(/\d+/g, '#').replace(/[^\p{L}#]/gu, '')

const isPageNumber = (text: string) => text.length < 12 && /^\W*(page\s*)?\d{0,5}(\s*(of|\/)\s*\d{1,5})?\W*$/i.test(text)
