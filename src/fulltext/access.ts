import type { TemporaryFile, TemporaryFiles } from '../files/temporary-files.js'
import type { HttpResponse, HttpClient, HttpRequest } from '../http/client.js'
import type { ConverterResult, Document } from './converter-result.js'
import type { Sandbox } from './sandbox/sandbox.js'
import { maxDocumentBytes } from './limits.js'
import { bytesOf, type OriginContext } from './origins/origin.js'

/** Converts PDFs, and provides the context of origins. */
export interface Fulltext {
  convertPdf (document: Document, signal?: AbortSignal): Promise<ConverterResult>
  /** @param files where downloaded documents are kept */
  originContext (files: TemporaryFiles, signal?: AbortSignal): OriginContext
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
  slot: (group: string, signal?: AbortSignal) => (request: () => Promise<HttpResponse>) => Promise<HttpResponse>
  /** The rate limiter of an address found in data. */
  guardedSlot: (url: string, signal?: AbortSignal) => (request: () => Promise<HttpResponse>) => Promise<HttpResponse>
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
    originContext (files, signal) {
      const fetchConfigured = (group: string, url: string, request?: HttpRequest): Promise<HttpResponse> =>
        slot(group, signal)(() => configured.fetch(url, { ...request, signal }))
      const fetchGuarded = (url: string, request: HttpRequest) =>
        guardedSlot(url, signal)(() => guarded.fetch(url, { ...request, signal }))
      return {
        urls,
        fetchConfigured,
        downloadConfigured: (group, url, request) => download(files, options => fetchConfigured(group, url, { ...request, ...options })),
        downloadGuarded: (url, request) => download(files, options => fetchGuarded(url, { ...request, ...options })),
        async convert (format, document) {
          try {
            return format === 'pdf' ? await convertPdf(document, signal) : await builtIn.convert(format, document, signal)
          } finally {
            await document.remove()
          }
        }
      }
    },
    close: () => builtIn.close()
  }
}

/**
 * Writes the body of a response to a file: a document may have 64 MiB, several would fill this process's memory.
 * @returns null if the document does not exist @throws HttpError, OriginUnavailable, DiskFull
 */
async function download (
  files: TemporaryFiles,
  send: (options: Pick<HttpRequest, 'maxBytes' | 'readBody'>) => Promise<HttpResponse>
): Promise<TemporaryFile | null> {
  const file = await files.create()
  let diskFailure: unknown
  const readBody = async (body: AsyncIterable<Uint8Array>) => {
    for await (const chunk of body) {
      await file.append(chunk).catch((cause: unknown) => {
        diskFailure = cause
        throw cause
      })
    }
  }
  try {
    const response = await send({ maxBytes: maxDocumentBytes, readBody })
    if (bytesOf(response) !== null) return file
    await file.remove()
    return null
  } catch (cause) {
    await file.remove()
    // Clients report what ends a body as their own error.
    throw diskFailure ?? cause
  }
}
