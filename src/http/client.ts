/** What goes out. Limits have defaults; a caller that knows better states its own. */
export interface OutsideRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
  /** Decoded bytes of the answer at most; 32 MB where it is left out. */
  maxBytes?: number
  /** Milliseconds for everything, redirects and body included; 30,000 where it is left out. */
  timeout?: number
  signal?: AbortSignal | undefined
}

/** An answer that has been read to its end, whatever its status. */
export interface OutsideAnswer {
  status: number
  headers: Headers
  /** Where it came from, redirects followed. */
  url: string
  /** Decoded: no content encoding is left. */
  bytes: Buffer
}

/** Speaks HTTP to the outside. Which addresses it may reach, and how much it may read, is the client's own matter. */
export interface OutsideClient {
  /** @throws OutsideError where there is no answer; an answer with an error's status is an answer */
  fetch (url: string | URL, request?: OutsideRequest): Promise<OutsideAnswer>
}

/** refused: the address may not be reached. unreachable: no connection, or it broke. timeout: took too long. too_large: more bytes than allowed. */
export type OutsideFault = 'refused' | 'unreachable' | 'timeout' | 'too_large'

/** There is no answer; the message says of which host and why, and holds no query, where keys may be. */
export class OutsideError extends Error {
  readonly fault: OutsideFault
  constructor (fault: OutsideFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
