import type { PaperMetadata } from '../../../schemas/metadata.js'
import type { HttpRequest, HttpResponse } from '../../http/client.js'
import type { Converted } from '../converted.js'
import type { Format } from '../sandbox/formats.js'

/** The fields of a paper that tell where its full text may be. */
export interface Findable {
  doi: string | null
  pdf_url: string | null
  arxiv_id: string | null
  pmcid: string | null
  metadata: PaperMetadata
}

/** What origins fetch and convert with. */
export interface OriginContext {
  /** Requests an address that the operator configured, under the rate limit of the service's group. */
  fetchConfigured: (group: string, url: string, request?: HttpRequest) => Promise<HttpResponse>
  /** Requests an address found in data. */
  fetchGuarded: (url: string, request?: HttpRequest) => Promise<HttpResponse>
  urls: { europepmc: string, pmc: string, arxiv: string }
  convert: (format: Format, bytes: Uint8Array) => Promise<Converted>
}

/** A place where full text comes from. Adding one is a file here and a row in index.ts. */
export interface Origin {
  /** As it is stored with the text. */
  readonly name: string
  readonly title: string
  /** What its text is converted from, as a paper's page says it. */
  readonly document: string
  /** Whether it may have the paper. */
  mayHave (paper: Findable): boolean
  /** @returns null where it does not have it. @throws NotConvertible, HttpError, TryLater */
  get (context: OriginContext, paper: Findable): Promise<Converted | null>
}

/** The service is busy or down; a later try may succeed. */
export class TryLater extends Error {}

/** The bytes of a successful answer; null where the service does not have the document. @throws TryLater where it is busy or down */
export function bytesOf ({ status, bytes, url }: HttpResponse): Buffer | null {
  if (status >= 200 && status < 300) return bytes
  if (status === 408 || status === 425 || status === 429 || status >= 500) throw new TryLater(`${new URL(url).host} answered with status ${status}.`)
  return null
}
