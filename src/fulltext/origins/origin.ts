import type { OutsideAnswer, OutsideRequest } from '../../http/client.js'
import type { Converted } from '../converted.js'
import type { Format } from '../sandbox/formats.js'

/** What of a paper says where its full text may be. */
export interface Findable {
  doi: string | null
  pdf_url: string | null
  arxiv_id: string | null
  pmcid: string | null
  metadata: Record<string, unknown>
}

export interface OriginContext {
  /** A request to an address that the operator has set, in the turn of the service's group. */
  fetchConfigured: (group: string, url: string, request?: OutsideRequest) => Promise<OutsideAnswer>
  /** A request to an address that stands in data. */
  fetchGuarded: (url: string, request?: OutsideRequest) => Promise<OutsideAnswer>
  urls: { europepmc: string, pmc: string, arxiv: string }
  convert: (format: Format, bytes: Uint8Array) => Promise<Converted>
}

/** Where full text comes from. Adding one is a file here and a row in origins.ts. */
export interface Origin {
  /** As it is stored with the text. */
  readonly name: string
  readonly title: string
  /** Whether it may have the paper. */
  mayHave (paper: Findable): boolean
  /** @returns null where it does not have it. @throws NotConvertible, OutsideError, TryLater */
  get (context: OriginContext, paper: Findable): Promise<Converted | null>
}

/** The service answered that it cannot answer now. */
export class TryLater extends Error {}

/** An answer's bytes; null for one that says that there is nothing. @throws TryLater for one that says to come again */
export function bytesOf ({ status, bytes, url }: OutsideAnswer): Buffer | null {
  if (status >= 200 && status < 300) return bytes
  if (status === 408 || status === 425 || status === 429 || status >= 500) throw new TryLater(`${new URL(url).host} answered with status ${status}.`)
  return null
}

/** The longest document that is read: bytes. */
export const longestDocument = 64 * 1024 * 1024
