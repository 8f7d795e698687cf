import type { Line } from './lines.js'

/** Height of the header and of the footer as a share of the page height. */
const edgeShare = 0.1
/** Wide margins push them further in, where they are the outermost lines and stay at their height. */
const [innerEdgeShare, outermostLines] = [0.16, 2]

/** A text at the same place of this share of the pages is a watermark or a stamp. */
const minStampShare = 0.6

/** Numbers at the edge of so many pages that are equally far ahead of the page count the pages. Short documents have fewer. */
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
 * Removes numbers at the edge that count the pages, and other page numbers, and signs that repeat, that have no text beside them or further
 * out: table cells and equation numbers have.
 */
function removePageNumbers<Page extends PageLines> (pages: Page[]): Page[] {
  const minPages = Math.min(minNumberedPages, Math.max(2, pages.length - 1))
  const pageCounts = new Map<number | string, number>()
  for (const page of pages) {
    const keys = page.lines.filter(line => atEdge(page, line)).flatMap(({ text }) => [...pageOffsetsOf(text, page), ...signOf(text)])
    for (const key of new Set(keys)) pageCounts.set(key, (pageCounts.get(key) ?? 0) + 1)
  }
  const areOnMany = (keys: ReadonlyArray<number | string>, pages: number) => keys.some(key => pageCounts.get(key)! >= pages)
  return pages.map(page => {
    const isAlone = findAlone(page)
    const isInOuterRow = findOuterRow(page)
    const isRemoved = (line: Line) => atEdge(page, line) && ((isInOuterRow(line) && areOnMany(pageOffsetsOf(line.text, page), minPages)) ||
      ((isPageNumber(line.text) || areOnMany(signOf(line.text), minNumberedPages)) && isAlone(line)))
    return { ...page, lines: page.lines.filter(line => !isRemoved(line)) }
  })
}

/** How far the first and the last whole number of a line without letters are ahead of the page: "12", "3 | 8", "053003-2". */
function pageOffsetsOf (text: string, { number }: PageLines): number[] {
  const numbers = /\p{L}/u.test(text) ? [] : text.match(/(?<!\d[.,·]?)\d+(?![.,·]?\d|\s*%)/g) ?? []
  return [...numbers.slice(0, 1), ...numbers.slice(1).slice(-1)].filter(({ length }) => length <= 5).map(digits => Number(digits) - number)
}

/** A line without letters as a whole, which can be a publisher's sign: Springer's looks like "1 3". */
const signOf = (text: string): string[] => /\p{L}/u.test(text) ? [] : [text]

/** Returns whether a line is the first or the last of a page, with none beside it. */
function findAlone ({ lines }: PageLines): (line: Line) => boolean {
  const ys = lines.map(({ y }) => y).sort((a, b) => a - b)
  const [second, secondLast] = [ys[1] ?? Infinity, ys.at(-2) ?? -Infinity]
  return ({ y, size }) => Math.max(y - secondLast, second - y) > minStepRatio * size
}

/** Returns whether a line is in the first or last row of a page and has at most two others beside it: rows of tables have more. */
function findOuterRow ({ lines }: PageLines): (line: Line) => boolean {
  const ys = lines.map(({ y }) => y).sort((a, b) => a - b)
  return ({ y, size }) => {
    const isBeside = (other: number | undefined) => other !== undefined && Math.abs(other - y) < size / 2
    return (isBeside(ys[0]) && !isBeside(ys[3])) || (isBeside(ys.at(-1)) && !isBeside(ys.at(-4)))
  }
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

const pageNumber = /^[^\p{L}\p{N}]*(page\s*)?\p{Nd}{1,5}(\s*(of|\/)\s*\p{Nd}{1,5})?[^\p{L}\p{N}]*$/iu
const isPageNumber = (text: string) => text.length < 16 && pageNumber.test(text)
