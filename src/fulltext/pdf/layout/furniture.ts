import type { Line } from './lines.js'

/** Part of a page's height, at its head and at its foot, where what stands on every page stands. */
const edge = 0.1

/** A page's lines with its height. */
export interface PageLines { number: number, width: number, height: number, lines: Line[] }

/** The pages without running heads, running feet and page numbers: what stands at the edge of several pages, numbers aside. */
export function withoutFurniture<Page extends PageLines> (pages: Page[]): Page[] {
  const seen = new Map<string, number>()
  for (const page of pages) {
    for (const key of new Set(page.lines.filter(line => atEdge(page, line)).map(keyOf))) seen.set(key, (seen.get(key) ?? 0) + 1)
  }
  const often = Math.max(2, Math.min(3, pages.length * 0.3))
  const isFurniture = (line: Line) => {
    const key = keyOf(line)
    return isPageNumber(line.text) || (pages.length > 2 && key !== '' && seen.get(key)! >= often)
  }
  return pages.map(page => ({ ...page, lines: page.lines.filter(line => !atEdge(page, line) || !isFurniture(line)) }))
}

const atEdge = ({ height }: PageLines, { y }: Line) => y < height * edge || y > height * (1 - edge)

const keyOf = ({ text }: Line) => text.toLowerCase().replace(/\d+/g, '#').replace(/[^\p{L}#]/gu, '')

const isPageNumber = (text: string) => text.length < 12 && /^\W*(page\s*)?\d{0,5}(\s*(of|\/)\s*\d{1,5})?\W*$/i.test(text)
