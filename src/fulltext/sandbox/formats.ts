import { visibleText } from '../../../schemas/visible-text.js'
import type { ConverterResult } from '../converter-result.js'
import { limitText } from '../markdown/limit-text.js'

type Convert = (bytes: Uint8Array) => ConverterResult | Promise<ConverterResult>

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** The formats that the sandbox converts; each converter loads with its first document. Adding one is its converter and a row here. */
const converters = {
  pdf: async (): Promise<Convert> => (await import('../pdf/convert.js')).pdfToMarkdown,
  jats: async (): Promise<Convert> => {
    const { jatsToMarkdown } = await import('../jats/jats.js')
    return bytes => jatsToMarkdown(text(bytes))
  },
  tei: async (): Promise<Convert> => {
    const { teiToMarkdown } = await import('../tei/tei.js')
    return bytes => teiToMarkdown(text(bytes))
  },
  docling: async (): Promise<Convert> => {
    const { doclingToMarkdown } = await import('../docling/docling.js')
    return bytes => doclingToMarkdown(text(bytes))
  },
  'arxiv-html': async (): Promise<Convert> => {
    const { arxivHtmlToMarkdown } = await import('../html/arxiv-html.js')
    return bytes => arxivHtmlToMarkdown(text(bytes))
  }
} as const

/** Name of a format, as origins pass it. */
export type Format = keyof typeof converters

/** Converts a document in this process. The Markdown has bounded length and no characters that people cannot see. @throws NotConvertible */
export async function convert (format: Format, bytes: Uint8Array): Promise<ConverterResult> {
  const converted = await (await converters[format]())(bytes)
  return limitText({ ...converted, markdown: visibleText(converted.markdown) })
}
