import { deflateSync } from 'node:zlib'

/*
 * Writes PDFs for tests: text at places, rules, and what a document may be spoilt with. Places are points from the page's top left corner.
 * https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
 */

export type FontName = 'regular' | 'bold' | 'italic'

export interface PdfText { x: number, y: number, text: string, size?: number, font?: FontName }

export interface PdfRule { x0: number, x1: number, y: number }

export interface PdfPage {
  texts?: PdfText[]
  rules?: PdfRule[]
  /** Degrees that a reader turns the page by, clockwise. */
  rotate?: 0 | 90
  /** Its text rises along the page's left side: upright, if the page is turned by 90 degrees. */
  rising?: boolean
  width?: number
  height?: number
  /** A content stream to have instead, with the entries of its dictionary. */
  content?: { data: Uint8Array, dictionary?: string }
}

export interface PdfOptions {
  /** Entries of the trailer's dictionary, as an encryption's. */
  trailer?: string
  /** The dictionary of the page tree's root, instead of one that lists the pages: `{pages}` and `{root}` stand for their references. */
  pageTree?: string
  /** More objects, from number 100 on. */
  objects?: Array<string | { dictionary: string, data: Uint8Array }>
  /** Entries of each page's resources. */
  resources?: string
}

const fonts: Record<FontName, { reference: string, base: string }> = {
  regular: { reference: 'F1', base: 'Helvetica' },
  bold: { reference: 'F2', base: 'Helvetica-Bold' },
  italic: { reference: 'F3', base: 'Helvetica-Oblique' }
}

/** Number of the first object that a test adds. */
export const firstOwn = 100

export function writePdf (pages: PdfPage[], { trailer = '', pageTree, objects = [], resources = '' }: PdfOptions = {}): Uint8Array {
  const all = new Map<number, Buffer>()
  const [catalog, tree] = [1, 2]
  const fontNumbers = Object.values(fonts).map((_font, at) => 3 + at)
  let next = 3 + fontNumbers.length
  const fontResources = Object.values(fonts).map(({ reference }, at) => `/${reference} ${fontNumbers[at]} 0 R`).join(' ')
  const references: string[] = []
  for (const { rotate = 0, width = 612, height = 792, ...page } of pages) {
    const [number, content] = [next++, next++]
    const { data, dictionary = '' } = page.content ?? { data: Buffer.from(drawn(page, height), 'latin1') }
    references.push(`${number} 0 R`)
    all.set(
      number,
      Buffer.from(
        `<< /Type /Page /Parent ${tree} 0 R /MediaBox [0 0 ${width} ${height}] /Rotate ${rotate} /Contents ${content} 0 R /Resources << /Font << ${fontResources} >> ${resources} >> >>`
      )
    )
    all.set(content, stream(dictionary, data))
  }
  all.set(catalog, Buffer.from(`<< /Type /Catalog /Pages ${tree} 0 R >>`))
  all.set(
    tree,
    Buffer.from(
      (pageTree ?? '<< /Type /Pages /Kids [{pages}] /Count {count} >>')
        .replace('{pages}', references.join(' '))
        .replace('{count}', String(pages.length))
        .replace('{root}', `${tree} 0 R`)
    )
  )
  for (const [at, { base }] of Object.values(fonts).entries()) {
    all.set(fontNumbers[at]!, Buffer.from(`<< /Type /Font /Subtype /Type1 /BaseFont /${base} /Encoding /WinAnsiEncoding >>`))
  }
  for (const [at, object] of objects.entries()) {
    all.set(firstOwn + at, typeof object === 'string' ? Buffer.from(object) : stream(object.dictionary, object.data))
  }
  return file(all, `/Root ${catalog} 0 R ${trailer}`)
}

/** Bytes that inflate to `mebibytes` of blanks; twice compressed, as gigabytes are still small then. */
export function inflating (mebibytes: number): { data: Uint8Array, dictionary: string } {
  const part = deflateSync(Buffer.alloc(2 ** 20, ' '), { level: 9, finishFlush: 2 })
  // Parts end on a byte and without an end of the stream, so they may stand behind each other; only the first keeps zlib's header.
  const parts = Buffer.concat([part, ...Array.from({ length: mebibytes - 1 }, () => part.subarray(2))])
  return { data: deflateSync(parts), dictionary: '/Filter [/FlateDecode /FlateDecode]' }
}

/** A text in lines of at most so many characters. */
export function wrapped (text: string, characters: number): string[] {
  return text.split(' ').reduce<string[]>((lines, word) => {
    const last = lines.at(-1)
    return last === undefined || last.length + 1 + word.length > characters ? [...lines, word] : [...lines.slice(0, -1), `${last} ${word}`]
  }, [])
}

/** Lines below each other. */
export const column = (
  lines: string[],
  { x = 72, y = 100, leading = 12, ...style }: { x?: number, y?: number, leading?: number, size?: number, font?: FontName } = {}
): PdfText[] => lines.map((text, at) => ({ x, y: y + at * leading, text, ...style }))

function drawn ({ texts = [], rules = [], rising = false }: PdfPage, height: number): string {
  const shown = texts.map(
    ({ x, y, text, size = 10, font = 'regular' }) =>
      `BT /${fonts[font].reference} ${size} Tf 1 0 0 1 ${x} ${-y} Tm (${escaped(text)}) Tj ET`
  )
  const stroked = rules.map(({ x0, x1, y }) => `${x0} ${-y} m ${x1} ${-y} l S`)
  return [rising ? '0 1 -1 0 0 0 cm' : `1 0 0 1 0 ${height} cm`, ...shown, ...stroked].join('\n')
}

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&')

const stream = (dictionary: string, data: Uint8Array) =>
  Buffer.concat([Buffer.from(`<< ${dictionary} /Length ${data.length} >>\nstream\n`), data, Buffer.from('\nendstream')])

/** The objects with the table of where they stand. */
function file (objects: Map<number, Buffer>, trailer: string): Uint8Array {
  const parts = [Buffer.from('%PDF-1.7\n')]
  let length = parts[0]!.length
  const places = new Map<number, number>()
  for (const [number, body] of objects) {
    const part = Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n')])
    places.set(number, length)
    parts.push(part)
    length += part.length
  }
  const sections = [...places]
    .sort(([a], [b]) => a - b)
    .map(([number, place]) => `${number} 1\n${String(place).padStart(10, '0')} 00000 n \n`)
    .join('')
  const size = Math.max(...places.keys()) + 1
  parts.push(
    Buffer.from(`xref\n0 1\n0000000000 65535 f \n${sections}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${length}\n%%EOF\n`)
  )
  return new Uint8Array(Buffer.concat(parts))
}
