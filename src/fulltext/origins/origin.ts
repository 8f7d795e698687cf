import type { PaperMetadata } from '../../../schemas/metadata.js'
import type { TemporaryFile } from '../../files/temporary-files.js'
import type { HttpRequest, HttpResponse } from '../../http/client.js'
import { isTransient } from '../../http/retry-after.js'
import type { ConverterResult } from '../converter-result.js'
import type { Format } from '../sandbox/formats.js'

/** The fields of a paper that locate its full text. */
export interface FulltextLocators {
  doi: string | null
  pdf_url: string | null
  arxiv_id: string | null
  pmcid: string | null
  metadata: PaperMetadata
}

/** Options of a download beside its address. */
export type DownloadRequest = Pick<HttpRequest, 'headers' | 'timeoutMs'>

/** Services that origins use. */
export interface OriginContext {
  /** Requests an address that the operator configured, under the rate limit of the service's group. */
  fetchConfigured: (group: string, url: string, request?: HttpRequest) => Promise<HttpResponse>
  /**
   * Downloads a document from such an address to a file.
   * @returns null if the document does not exist @throws HttpError, OriginUnavailable, DiskFull
   */
  downloadConfigured: (group: string, url: string, request?: DownloadRequest) => Promise<TemporaryFile | null>
  /** Downloads a document from an address found in data. */
  downloadGuarded: (url: string, request?: DownloadRequest) => Promise<TemporaryFile | null>
  urls: { europepmc: string, pmc: string, arxiv: string }
  /** Converts a downloaded document and removes its file. */
  convert: (format: Format, document: TemporaryFile) => Promise<ConverterResult>
}

/** A place to fetch full text from. Adding one is a file here and a row in index.ts. */
export interface Origin {
  /** Name that is stored with the text. */
  readonly name: string
  /** Begins sentences. */
  readonly title: string
  /** Names the converted document on the page of a paper. */
  readonly document: string
  /** Whether the origin can have the paper. */
  mayHave (paper: FulltextLocators): boolean
  /** @returns null if the origin does not have the paper @throws NotConvertible, HttpError, OriginUnavailable */
  get (context: OriginContext, paper: FulltextLocators): Promise<ConverterResult | null>
}

/** The service is busy or down; a retry can succeed. The message does not quote the response. */
export class OriginUnavailable extends Error {}

/** Returns the body of a response; null if the document does not exist. @throws OriginUnavailable if the service is busy or down */
export function bytesOf ({ status, bytes }: HttpResponse): Buffer | null {
  if (status >= 200 && status < 300) return bytes
  if (isTransient(status)) throw new OriginUnavailable(`The server responded with status ${status}.`)
  return null
}
