import type { PageContent, TextItem } from '../extract/page.js'
import { median } from '../extract/text-metrics.js'

/*
 * Line numbers of manuscripts: numbers in a margin, aligned, that count up line by line or every few lines, over most of the page.
 */

/** A number, with the ends that numbers of a margin share: the right one, or the left one. */
interface Candidate { item: TextItem, value: number, left: number, right: number }
const ends = ['right', 'left'] as const
type End = typeof ends[number]
interface Margin { side: End, alignment: End, at: number }

/** Numbers of one margin end within this distance. */
const tolerancePt = 2
/** Every line has a number, or every such line. */
const steps = [1, 2, 5, 10]
/** Fewer numbers in a row, by step, or over a smaller share of the text's height, are the numbers of a list. */
const [minNumbers, minSparseNumbers, minHeightShare] = [8, 4, 0.5]
/** The distance between numbered lines, relative to that of lines of text: entries of a list have several lines. */
const maxLeadingRatio = 1.3
/** Share of the text that a margin may have, such as a heading that hangs out. */
const maxTextShare = 0.05
/** A document has line numbers if this share of its pages has them, and several pages do, or one of them has so many. */
const [minPageShare, minOnOnePage] = [0.6, 20]
/** A page with more items is no manuscript's: each number is compared with all texts. */
const maxItems = 10_000
/** A page with fewer lines may be one without line numbers. */
const minTextLines = 10

/** Finds line numbers page by page, in order: a page with a few lines has them where earlier pages do. */
export class LineNumberFinder {
  readonly #margins: Margin[] = []
  #pages = 0
  #numberedPages = 0
  #numbers = 0

  /** Returns the text items of a page that may be line numbers. */
  find ({ items }: PageContent): ReadonlySet<TextItem> {
    if (items.length > maxItems) return new Set()
    const candidates: Candidate[] = []
    const texts: TextItem[] = []
    for (const item of items) {
      const text = item.text.trim()
      if (/^\d{1,5}$/.test(text)) candidates.push({ item, value: Number(text), left: item.x, right: item.x + item.width })
      else if (text !== '') texts.push(item)
    }
    const page = new Set(texts.map(({ y }) => Math.round(y))).size < minTextLines ? null : measurePage(texts)
    if (page !== null) this.#pages++
    const found = ends.flatMap(alignment => clusterByEnd(candidates, alignment).flatMap((cluster): Margin[] => {
      const numbers = page === null ? [] : countingUp(cluster, page)
      const side = sideOf(numbers, texts)
      return side === null ? [] : [{ side, alignment, at: numbers[0]![alignment] }]
    }))
    if (found.length > 0) this.#numberedPages++
    this.#margins.push(...found.filter(margin => !this.#margins.some(known => isSame(margin, known))))
    const onMargin = candidates.filter(candidate => this.#margins.some(({ side, alignment, at }) =>
      Math.abs(candidate[alignment] - at) < tolerancePt && isBeside(candidate, side, texts)))
    this.#numbers += onMargin.length
    return new Set(onMargin.map(({ item }) => item))
  }

  /** Whether the document has line numbers, after all of its pages. */
  areUsual (): boolean {
    return this.#numberedPages >= minPageShare * this.#pages && (this.#numberedPages > 1 || this.#numbers >= minOnOnePage)
  }
}

const isSame = (margin: Margin, known: Margin) =>
  margin.side === known.side && margin.alignment === known.alignment && Math.abs(margin.at - known.at) < tolerancePt

interface Measures { leading: number, height: number }

/** The distance between lines, and the height of the text. */
function measurePage (texts: TextItem[]): Measures {
  const ys = texts.map(({ y }) => y)
  const leadings = texts.slice(1).map(({ y, size }, at) => ({ step: y - ys[at]!, size }))
    .filter(({ step, size }) => step > 0.8 * size && step < 4 * size)
  const [top, bottom] = ys.reduce(([top, bottom], y) => [Math.min(top, y), Math.max(bottom, y)] as const, [Infinity, -Infinity] as const)
  return { leading: median(leadings.map(({ step }) => step)) ?? 12, height: bottom - top }
}

function clusterByEnd (candidates: Candidate[], end: End): Candidate[][] {
  const clusters: Candidate[][] = []
  for (const candidate of [...candidates].sort((a, b) => a[end] - b[end])) {
    const cluster = clusters.at(-1)
    if (cluster !== undefined && candidate[end] - cluster[0]![end] < tolerancePt) cluster.push(candidate)
    else clusters.push([candidate])
  }
  return clusters
}

/** The numbers of a cluster that count the lines of a page; none if they do not. */
function countingUp (cluster: Candidate[], { leading, height }: Measures): Candidate[] {
  if (cluster.length < minSparseNumbers) return []
  const sorted = [...cluster].sort((a, b) => a.item.y - b.item.y)
  for (const step of steps) {
    const isNext = (at: number) => sorted[at + 1] !== undefined && sorted[at + 1]!.value - sorted[at]!.value === step
    const numbers = sorted.filter(({ value }, at) => (step === 1 || value % step === 0) && (isNext(at) || (at > 0 && isNext(at - 1))))
    if (numbers.length < Math.max(step === 1 ? minNumbers : minSparseNumbers, 0.8 * sorted.length)) continue
    const gaps = numbers.slice(1).map(({ item }, at) => item.y - numbers[at]!.item.y)
    if (
      median(gaps)! <= maxLeadingRatio * step * leading &&
      numbers.at(-1)!.item.y - numbers[0]!.item.y >= minHeightShare * height
    ) return numbers
  }
  return []
}

/** The margin that the numbers are in: hardly any text beside them reaches beyond them. */
function sideOf (numbers: Candidate[], texts: TextItem[]): Margin['side'] | null {
  const [first, last] = [numbers[0], numbers.at(-1)]
  if (first === undefined || last === undefined) return null
  const beside = texts.filter(({ y }) => y > first.item.y - tolerancePt && y < last.item.y + tolerancePt)
  const share = (isBeyond: (text: TextItem) => boolean) => beside.filter(isBeyond).length / Math.max(1, beside.length)
  const [left, right] = [Math.min(...numbers.map(({ left }) => left)), Math.max(...numbers.map(({ right }) => right))]
  if (share(({ x }) => x < right) <= maxTextShare) return 'left'
  return share(({ x, width }) => x + width > left) <= maxTextShare ? 'right' : null
}

/** Whether a number is beyond the text on its baseline. */
const isBeside = ({ item, left, right }: Candidate, side: Margin['side'], texts: TextItem[]) =>
  texts.every(({ x, y, width, size }) => Math.abs(y - item.y) > 0.3 * size || (side === 'left' ? x >= right - 1 : x + width <= left + 1))
