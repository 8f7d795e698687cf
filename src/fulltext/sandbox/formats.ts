import type { Converted } from '../converted.js'

type Convert = (bytes: Uint8Array) => Converted | Promise<Converted>

const text = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** The formats that the sandbox converts; each converter loads at its first document. Adding one is its converter and a row here. */
const converters = {
  pdf: async (): Promise<Convert> => (await import('../pdf/convert.js')).pdfToMarkdown,
  jats: async (): Promise<Convert> => {
    const { jatsToMarkdown } = await import('../jats/jats.js')
    return bytes => jatsToMarkdown(text(bytes))
  },
  'arxiv-html': async (): Promise<Convert> => {
    const { arxivHtmlToMarkdown } = await import('../html/arxiv-html.js')
    return bytes => arxivHtmlToMarkdown(text(bytes))
  }
} as const

/** Name of a format, as origins pass it. */
export type Format = keyof typeof converters

/** Converts a document in this process. @throws NotConvertible */
export const convert = async (format: Format, bytes: Uint8Array): Promise<Converted> => await (await converters[format]())(bytes)
