import type { Line } from './lines.js'

/** Height of the header and of the footer as a share of the page height. */
const edgeShare = 0.1
/** Wide margins push them further in, where they are the outermost lines and stay at their height. */
const [innerEdgeShare, outermostLines] = [0.16, 2]

/** A text at the same place of this share of the pages is a watermark or a stamp. */
const minStampShare = 0.6

/** Numbers at the edge of so many pages that are equally far ahead of the page count the pages. */
const minNumberedPages = 3
/** Between a page number and the nearest line above or below it, in font sizes. */
const minStepRatio = 0.8
/** A line without letters that is as long can be a running header, such as a date. */
const minRepeatedNumberCharacters = 6

/** A page with its lines. */
export interface PageLines { number: number, width: number, height: number, lines: Line[] }

/** Removes running headers, running footers and page numbers: text that repeats at the edge of several pages, ignoring digits. */
export function removeHeadersAndFooters<Page extends PageLines> (pages: Page[]): Page[] {
  return removePageNumbers(removeRepeated(pages))
}

function removeRepeated<Page extends PageLines> (pages: Page[]): Page[] {
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
    return pages.length > 2 && key !== '' && pageCounts.get(key)! >= minPageCount
  }
  return pages.map(page => ({
    ...page,
    lines: page.lines.filter(line =>
      !stamps.has(placeOf(line)) &&
      !(atEdge(page, line) && isHeaderOrFooter(line)) &&
      !(outermost.get(page)!(line) && /\p{L}{3}/u.test(line.text) && pageCounts.get(keyWithHeight(line))! >= Math.max(3, minPageCount)))
  }))
}

/**
 * Removes numbers at the edge that count the pages, and other page numbers that have no text beside them or further out: table cells and
 * equation numbers have.
 */
function removePageNumbers<Page extends PageLines> (pages: Page[]): Page[] {
  const pageCounts = new Map<number, number>()
  for (const page of pages) {
    const offsets = page.lines.filter(line => atEdge(page, line)).flatMap(({ text }) => pageOffsetOf(text, page) ?? [])
    for (const offset of new Set(offsets)) pageCounts.set(offset, (pageCounts.get(offset) ?? 0) + 1)
  }
  const counts = ({ text }: Line, page: Page) => (pageCounts.get(pageOffsetOf(text, page) ?? NaN) ?? 0) >= minNumberedPages
  return pages.map(page => {
    const isAlone = findAlone(page)
    const isRemoved = (line: Line) => atEdge(page, line) && isPageNumber(line.text) && (counts(line, page) || isAlone(line))
    return { ...page, lines: page.lines.filter(line => !isRemoved(line)) }
  })
}

/** How far the number that a line consists of is ahead of the page; undefined without one. */
function pageOffsetOf (text: string, { number }: PageLines): number | undefined {
  const digits = /^[^\p{L}\p{N}]*(\d{1,5})[^\p{L}\p{N}]*$/u.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits) - number
}

/** Returns whether a line is the first or the last of a page, with none beside it. */
function findAlone ({ lines }: PageLines): (line: Line) => boolean {
  const ys = lines.map(({ y }) => y).sort((a, b) => a - b)
  const [second, secondLast] = [ys[1] ?? Infinity, ys.at(-2) ?? -Infinity]
  return ({ y, size }) => Math.max(y - secondLast, second - y) > minStepRatio * size
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

/** The letters of a line, whatever its digits. A line without letters repeats only as a whole: short ones are numbers of any kind. */
function keyOf ({ text }: Line): string {
  const key = text.toLowerCase().replace(/\d+/g, '#').replace(/[^\p{L}#]/gu, '')
  return /\p{L}/u.test(key) ? key : text.length < minRepeatedNumberCharacters ? '' : text
}

const pageNumber = /^[^\p{L}\p{N}]*(page\s*)?\d{1,5}(\s*(of|\/)\s*\d{1,5})?[^\p{L}\p{N}]*$/iu
const isPageNumber = (text: string) => text.length < 16 && pageNumber.test(text)
