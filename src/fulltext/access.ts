import type { OutsideAnswer, OutsideClient, OutsideRequest } from '../http/client.js'
import type { Converted } from './converted.js'
import type { IsolatedConverter } from './sandbox/sandbox.js'
import type { OriginContext } from './origins/origin.js'

/** Makes PDFs into Markdown, and gives origins what they fetch with. */
export interface Fulltext {
  convertPdf (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted>
  originContext (signal?: AbortSignal): OriginContext
  close (): Promise<void>
}

export interface PdfConverter { convert (bytes: Uint8Array, signal?: AbortSignal): Promise<Converted> }

export interface FulltextOptions {
  builtIn: IsolatedConverter
  /** Asked first, where there is one; whatever its trouble, the built-in one takes over. */
  external: PdfConverter | undefined
  onExternalFailure: (cause: unknown) => void
  /** Reaches what the operator has set, and what stands in data. */
  configured: OutsideClient
  guarded: OutsideClient
  urls: OriginContext['urls']
  /** Makes requests to one service take turns. */
  turn: (group: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
  /** The same for an address that stands in data. */
  guardedTurn: (url: string, signal?: AbortSignal) => <T>(work: () => Promise<T>) => Promise<T>
}

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
      fetchConfigured: (group: string, url: string, request?: OutsideRequest): Promise<OutsideAnswer> => turn(group, signal)(() => configured.fetch(url, { ...request, signal })),
      fetchGuarded: (url, request) => guardedTurn(url, signal)(() => guarded.fetch(url, { ...request, signal })),
      convert: (format, bytes) => format === 'pdf' ? convertPdf(bytes, signal) : builtIn.convert(format, bytes, signal)
    }),
    close: () => builtIn.close()
  }
}
