import './no-drawing.js'
import { fileURLToPath } from 'node:url'
import { getDocument, InvalidPDFException, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { NotConvertible } from '../../converted.js'
import { plainText } from './characters.js'
import type { DocumentFacts, Font, PageContent, TextItem } from './page.js'
import { multiplied, rulesOf, type Stroke, strokesOf } from './rules.js'

/** Pages that are read; more are a book. */
export const mostPages = 500
/** Characters of text that are read, in all. */
const mostCharacters = 8_000_000
/** Pieces of text that are read of one page; dense pages have some thousands. */
const mostPieces = 20_000
/** Bookmarks that are read. */
const mostBookmarks = 1000
/** Letters that stand on their side are text, if there are this many of them; fewer are a label or a margin's note. */
const leastTurned = 400

const packageFolder = fileURLToPath(new URL('./', import.meta.resolve('pdfjs-dist/package.json')))

const boldName = /bold|black|heavy|semibold|demi|-bd|\bbx|cmbx|nimbusromno9l-medi|mediital|advp?.*b$|\.b\+?$/i
const italicName = /ital|obliq|cmti|\.i\+?$/i

/** The result of reading a document beside its pages. */
export interface Extracted {
  facts: DocumentFacts
  /** Of the document; those read may be fewer. */
  pageCount: number
  warnings: string[]
}

/** Reads a PDF's pages one by one, each with its text and rules; one page may come as two, if a part of it stands on its side. */
export async function extract (bytes: Uint8Array, onPage: (page: PageContent) => void): Promise<Extracted> {
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    // Pictures are not looked at.
    maxImageSize: 1,
    cMapUrl: `${packageFolder}cmaps/`,
    standardFontDataUrl: `${packageFolder}standard_fonts/`
  })
  const warnings: string[] = []
  try {
    const document = await task.promise
    const pageCount = document.numPages
    if (pageCount > mostPages) warnings.push(`The PDF has ${pageCount} pages; the first ${mostPages} were read.`)
    const facts = await factsOf(document)
    let characters = 0
    for (let number = 1; number <= Math.min(pageCount, mostPages); number++) {
      try {
        const page = await document.getPage(number)
        const contents = await contentsOf(page, number)
        page.cleanup()
        if (contents.every(({ items }) => items.length === 0)) warnings.push(`Page ${number} has no text.`)
        for (const content of contents) {
          for (const { text } of content.items) characters += text.length
          onPage(content)
        }
      } catch (cause) {
        if (isOutOfMemory(cause)) throw cause
        warnings.push(`Page ${number} could not be read.`)
      }
      if (characters > mostCharacters) {
        warnings.push(`The text was read up to page ${number}; the rest is too long.`)
        break
      }
    }
    return { facts, pageCount, warnings }
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') throw new NotConvertible('encrypted', 'The PDF is encrypted and opens with a password only. Store a copy without a password.', { cause })
    if (cause instanceof InvalidPDFException) throw new NotConvertible('damaged', 'The file is no PDF, or a damaged one. Download it again.', { cause })
    throw new NotConvertible('damaged', 'The PDF is damaged: its pages cannot be read. Download it again.', { cause })
  } finally {
    await task.destroy()
  }
}

const isOutOfMemory = (cause: unknown) => cause instanceof RangeError && /allocation|invalid array length/i.test(cause.message)

async function factsOf (document: PDFDocumentProxy): Promise<DocumentFacts> {
  const facts: DocumentFacts = { title: null, outline: [] }
  try {
    const { info } = await document.getMetadata()
    const title = (info as { Title?: unknown }).Title
    if (typeof title === 'string') facts.title = plainText(title).trim() || null
    const add = (items: Awaited<ReturnType<PDFDocumentProxy['getOutline']>>, depth: number) => {
      for (const { title, items: below } of items ?? []) {
        if (facts.outline.length >= mostBookmarks || depth > 8) return
        facts.outline.push({ title: plainText(title).trim(), depth })
        add(below, depth + 1)
      }
    }
    add(await document.getOutline(), 0)
  } catch {
    // Neither is needed.
  }
  return facts
}

/** A page's upright text, and its text on the side as a page of its own. */
async function contentsOf (page: PDFPageProxy, number: number): Promise<PageContent[]> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  // The operators come first: fonts have their names only after them.
  const strokes = await page.getOperatorList().then(operators => strokesOf(operators, transform), () => ({ horizontal: [], vertical: [] }))
  const { items: found } = await page.getTextContent()
  const fonts = fontsOf(page)
  const upright: TextItem[] = []
  const rising: TextItem[] = []
  const falling: TextItem[] = []
  for (const item of found.slice(0, mostPieces)) {
    if (!('str' in item) || item.str === '') continue
    const text = plainText(item.str)
    if (text === '') continue
    const [a, b, c, d, x, y] = multiplied(transform, item.transform) as [number, number, number, number, number, number]
    const common = { text, width: item.width, size: Math.hypot(c, d), font: fonts(item.fontName) }
    if (a > 0 && Math.abs(b) <= 0.2 * a) upright.push({ ...common, x, y })
    else if (b < 0 && Math.abs(a) <= -0.2 * b) rising.push({ ...common, x: height - y, y: x })
    else if (b > 0 && Math.abs(a) <= 0.2 * b) falling.push({ ...common, x: y, y: width - x })
  }
  const contents = [{ number, width, height, items: upright, rules: rulesOf(strokes.horizontal) }]
  if (isText(rising)) contents.push({ number, width: height, height: width, items: rising, rules: rulesOf(strokes.vertical.map(stroke => turned(stroke, height))) })
  if (isText(falling)) contents.push({ number, width: height, height: width, items: falling, rules: rulesOf(strokes.vertical.map(({ from, to, at }) => ({ from, to, at: width - at }))) })
  return contents
}

const turned = ({ from, to, at }: Stroke, height: number): Stroke => ({ from: height - to, to: height - from, at })

const isText = (items: TextItem[]) => items.reduce((sum, { text }) => sum + text.length, 0) >= leastTurned && new Set(items.map(({ y }) => Math.round(y))).size >= 5

/** Fonts by pdf.js's name for them. */
function fontsOf (page: PDFPageProxy): (id: string) => Font {
  const fonts = new Map<string, Font>()
  return id => {
    let font = fonts.get(id)
    if (font === undefined) {
      const loaded = page.commonObjs.has(id) ? page.commonObjs.get(id) as { name?: string, bold?: boolean, italic?: boolean } | null : null
      const name = (loaded?.name ?? id).replace(/^[A-Z]{6}\+/, '')
      font = { name, bold: loaded?.bold === true || boldName.test(name), italic: loaded?.italic === true || italicName.test(name) }
      fonts.set(id, font)
    }
    return font
  }
}
