import './no-drawing.js'
import { fileURLToPath } from 'node:url'
import { getDocument, InvalidPDFException, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { NotConvertible } from '../../converter-result.js'
import { maxPdfBookmarks, maxPdfCharacters, maxPdfItemsPerPage, maxPdfPages } from '../../limits.js'
import { normalizeText } from './characters.js'
import { symbolReader } from './symbol-fonts.js'
import type { DocumentMetadata, Font, PageContent, TextItem } from './page.js'
import { multiplyMatrices, mergeStrokes, type Stroke, findStrokes } from './rules.js'

/** Rotated text with fewer characters is an axis label or a margin note. */
const minRotatedCharacters = 400

const packageFolder = fileURLToPath(new URL('./', import.meta.resolve('pdfjs-dist/package.json')))

const boldName = /bold|black|heavy|semibold|demi|-bd|\bbx|cmbx|nimbusromno9l-medi|mediital|advp?.*b$|\.b\+?$/i
const italicName = /ital|obliq|cmti|\.i\+?$/i

/** Document-level results; pages go to the callback. */
export interface ExtractedDocument {
  metadata: DocumentMetadata
  /** Pages in the document, including those that were skipped. */
  pageCount: number
  warnings: string[]
  /** What was not read. */
  losses: string[]
}

/**
 * Reads a PDF page by page and passes text and rules of each to `onPage`.
 * Calls it again for the rotated text of a page. @throws NotConvertible
 */
export async function extract (bytes: Uint8Array, onPage: (page: PageContent) => void): Promise<ExtractedDocument> {
  const task = getDocument({
    data: bytes,
    verbosity: 0,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    useWasm: false,
    // Skips decoding images.
    maxImageSize: 1,
    // The names of glyphs, which symbol-fonts.ts reads.
    fontExtraProperties: true,
    cMapUrl: `${packageFolder}cmaps/`,
    standardFontDataUrl: `${packageFolder}standard_fonts/`
  })
  const [warnings, losses]: [string[], string[]] = [[], []]
  try {
    const document = await task.promise
    const pageCount = document.numPages
    if (pageCount > maxPdfPages) losses.push(`The PDF has ${pageCount} pages; only the first ${maxPdfPages} were converted.`)
    const metadata = await readMetadata(document)
    let characters = 0
    for (let number = 1; number <= Math.min(pageCount, maxPdfPages); number++) {
      try {
        const page = await document.getPage(number)
        const contents = await readPage(page, number)
        page.cleanup()
        if (contents.every(({ items }) => items.length === 0)) warnings.push(`Page ${number} has no text.`)
        for (const content of contents) {
          for (const { text } of content.items) characters += text.length
          onPage(content)
        }
      } catch (cause) {
        if (isOutOfMemory(cause)) throw cause
        losses.push(`Page ${number} could not be read.`)
      }
      if (characters > maxPdfCharacters) {
        losses.push(`The text is too long; only pages 1 to ${number} were converted.`)
        break
      }
    }
    return { metadata, pageCount, warnings, losses }
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'PasswordException') {
      throw new NotConvertible('encrypted', 'The PDF is encrypted and requires a password. Upload a copy without a password.', { cause })
    }
    if (cause instanceof InvalidPDFException) {
      throw new NotConvertible('damaged', 'The file is not a PDF, or it is damaged. Download it again.', { cause })
    }
    throw new NotConvertible('damaged', 'The PDF is damaged: its pages cannot be read. Download it again.', { cause })
  } finally {
    await task.destroy()
  }
}

const isOutOfMemory = (cause: unknown) => cause instanceof RangeError && /allocation|invalid array length/i.test(cause.message)

async function readMetadata (document: PDFDocumentProxy): Promise<DocumentMetadata> {
  const metadata: DocumentMetadata = { title: null, outline: [] }
  try {
    const { info } = await document.getMetadata()
    const title = (info as { Title?: unknown }).Title
    if (typeof title === 'string') metadata.title = normalizeText(title).trim() || null
    const add = (items: Awaited<ReturnType<PDFDocumentProxy['getOutline']>>, depth: number) => {
      for (const { title, items: below } of items ?? []) {
        if (metadata.outline.length >= maxPdfBookmarks || depth > 8) return
        metadata.outline.push({ title: normalizeText(title).trim(), depth })
        add(below, depth + 1)
      }
    }
    add(await document.getOutline(), 0)
  } catch {
    // Title and bookmarks are optional.
  }
  return metadata
}

/** Returns the upright text of a page, followed by its rotated text as separate pages. */
async function readPage (page: PDFPageProxy, number: number): Promise<PageContent[]> {
  const { width, height, transform } = page.getViewport({ scale: 1 })
  // pdf.js resolves font names while it loads the operator list.
  const strokes = await page.getOperatorList().then(
    operators => findStrokes(operators, transform),
    () => ({ horizontal: [], vertical: [] })
  )
  const { items: found } = await page.getTextContent()
  const fonts = createFontLookup(page)
  const upright: TextItem[] = []
  const rising: TextItem[] = []
  const falling: TextItem[] = []
  for (const item of found.slice(0, maxPdfItemsPerPage)) {
    if (!('str' in item) || item.str === '') continue
    const { font, read } = fonts(item.fontName)
    const text = normalizeText(read(item.str))
    if (text === '') continue
    const [a, b, c, d, x, y] = multiplyMatrices(transform, item.transform) as [number, number, number, number, number, number]
    const common = { text, width: item.width, size: Math.hypot(c, d), font }
    if (a > 0 && Math.abs(b) <= 0.2 * a) upright.push({ ...common, x, y })
    else if (b < 0 && Math.abs(a) <= -0.2 * b) rising.push({ ...common, x: height - y, y: x })
    else if (b > 0 && Math.abs(a) <= 0.2 * b) falling.push({ ...common, x: y, y: width - x })
  }
  const contents = [{ number, width, height, items: upright, rules: mergeStrokes(strokes.horizontal) }]
  if (isText(rising)) {
    contents.push({
      number,
      width: height,
      height: width,
      items: rising,
      rules: mergeStrokes(strokes.vertical.map(stroke => rotateStroke(stroke, height)))
    })
  }
  if (isText(falling)) {
    contents.push({
      number,
      width: height,
      height: width,
      items: falling,
      rules: mergeStrokes(strokes.vertical.map(({ from, to, at }) => ({ from, to, at: width - at })))
    })
  }
  return contents
}

const rotateStroke = ({ from, to, at }: Stroke, height: number): Stroke => ({ from: height - to, to: height - from, at })

const isText = (items: TextItem[]) =>
  items.reduce((sum, { text }) => sum + text.length, 0) >= minRotatedCharacters && new Set(items.map(({ y }) => Math.round(y))).size >= 5

/** A font as pdf.js loads it. `differences` are the names of its glyphs by code; with them, it keeps the bytes of the font. */
interface LoadedFont { name?: string, bold?: boolean, italic?: boolean, differences?: string[], clearData?: () => void }

/** A font, and how to read its text. */
interface ReadableFont { font: Font, read: (text: string) => string }

/** Returns a cached lookup of fonts by the id that pdf.js assigns. */
function createFontLookup (page: PDFPageProxy): (id: string) => ReadableFont {
  const fonts = new Map<string, ReadableFont>()
  return id => {
    let found = fonts.get(id)
    if (found === undefined) {
      const loaded = page.commonObjs.has(id) ? page.commonObjs.get(id) as LoadedFont | null : null
      const name = (loaded?.name ?? id).replace(/^[A-Z]{6}\+/, '')
      const font = { name, bold: loaded?.bold === true || boldName.test(name), italic: loaded?.italic === true || italicName.test(name) }
      found = { font, read: symbolReader(name, loaded?.differences) }
      loaded?.clearData?.()
      fonts.set(id, found)
    }
    return found
  }
}
