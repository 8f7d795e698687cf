import type { HttpResponse, HttpClient, HttpRequest } from '../http/client.js'
import type { ConverterResult, Document } from './converter-result.js'
import type { Sandbox } from './sandbox/sandbox.js'
import type { OriginContext } from './origins/origin.js'

/** Converts PDFs, and provides the context of origins. */
export interface Fulltext {
  convertPdf (document: Document, signal?: AbortSignal): Promise<ConverterResult>
  originContext (signal?: AbortSignal): OriginContext
  close (): Promise<void>
}

/** Converts a PDF to Markdown. */
export interface PdfConverter { convert (document: Document, signal?: AbortSignal): Promise<ConverterResult> }

/** Dependencies of full-text access. */
export interface FulltextOptions {
  builtIn: Sandbox
  /** Used first, if configured. After any failure, the built-in converter runs. */
  external: PdfConverter | undefined
  onExternalFailure: (cause: unknown) => void
  /** Clients for addresses that the operator configured, and for addresses found in data. */
  configured: HttpClient
  guarded: HttpClient
  urls: OriginContext['urls']
  /** The rate limiter of a service's group. */
  slot: (group: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
  /** The rate limiter of an address found in data. */
  guardedSlot: (url: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
}

/** Combines converters, HTTP clients and rate limiters. */
export function fulltextAccess ({
  builtIn,
  external,
  onExternalFailure,
  configured,
  guarded,
  urls,
  slot,
  guardedSlot
}: FulltextOptions): Fulltext {
  const convertPdf = async (document: Document, signal?: AbortSignal): Promise<ConverterResult> => {
    if (external === undefined) return await builtIn.convert('pdf', document, signal)
    try {
      return await external.convert(document, signal)
    } catch (cause) {
      signal?.throwIfAborted()
      onExternalFailure(cause)
      return await builtIn.convert('pdf', document, signal)
    }
  }
  return {
    convertPdf,
    originContext: signal => ({
      urls,
      fetchConfigured: (group: string, url: string, request?: HttpRequest): Promise<HttpResponse> =>
        slot(group, signal)(() => configured.fetch(url, { ...request, signal })),
      fetchGuarded: (url, request) => guardedSlot(url, signal)(() => guarded.fetch(url, { ...request, signal })),
      convert: (format, bytes) => format === 'pdf' ? convertPdf(bytes, signal) : builtIn.convert(format, bytes, signal)
    }),
    close: () => builtIn.close()
  }
}
