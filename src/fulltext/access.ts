import type { HttpResponse, HttpClient, HttpRequest } from '../http/client.js'
import type { Converted } from './converted.js'
import type { Sandbox } from './sandbox/sandbox.js'
import type { OriginContext } from './origins/origin.js'

/** Converts PDFs, and provides the context of origins. */
export interface Fulltext {
  convertPdf (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted>
  originContext (signal?: AbortSignal): OriginContext
  close (): Promise<void>
}

/** Converts a PDF to Markdown. */
export interface PdfConverter { convert (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted> }

/** The parts that full text is made of. */
export interface FulltextOptions {
  builtIn: Sandbox
  /** Tried first where configured; on any failure the built-in converter takes over. */
  external: PdfConverter | undefined
  onExternalFailure: (cause: unknown) => void
  /** Clients for addresses that the operator configured, and for addresses found in data. */
  configured: HttpClient
  guarded: HttpClient
  urls: OriginContext['urls']
  /** The rate limiter of a service's group. */
  turn: (group: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
  /** The rate limiter of an address found in data. */
  guardedTurn: (url: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
}

/** Joins the converters, the clients and the rate limiters. */
export function fulltextAccess ({ builtIn, external, onExternalFailure, configured, guarded, urls, turn, guardedTurn }: FulltextOptions): Fulltext {
  const convertPdf = async (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted> => {
    if (external === undefined) return await builtIn.convert('pdf', bytes, signal)
    try {
      return await external.convert(bytes, signal)
    } catch (cause) {
      signal?.throwIfAborted()
      onExternalFailure(cause)
      return await builtIn.convert('pdf', bytes, signal)
    }
  }
  return {
    convertPdf,
    originContext: signal => ({
      urls,
      fetchConfigured: (group: string, url: string, request?: HttpRequest): Promise<HttpResponse> => turn(group, signal)(() => configured.fetch(url, { ...request, signal })),
      fetchGuarded: (url, request) => guardedTurn(url, signal)(() => guarded.fetch(url, { ...request, signal })),
      convert: (format, bytes) => format === 'pdf' ? convertPdf(bytes, signal) : builtIn.convert(format, bytes, signal)
    }),
    close: () => builtIn.close()
  }
}
