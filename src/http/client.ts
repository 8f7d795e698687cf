/** An outgoing request. */
export interface HttpRequest {
  method?: 'GET' | 'POST'
  headers?: Record<string, string>
  body?: string | Uint8Array | FormData
  /** Maximum size of the decoded body, in bytes. Default: 32 MiB. */
  maxBytes?: number
  /** Total time, including redirects and the body. Default: 30,000 ms. */
  timeoutMs?: number
  signal?: AbortSignal | undefined
  /** 'manual' returns redirects as responses. Default: 'follow'. */
  redirect?: 'follow' | 'manual'
  /** Reads the body of a successful response as it arrives. Bodies are not read into memory then: `bytes` is empty. */
  readBody?: (body: AsyncIterable<Uint8Array>) => Promise<void>
}

/** A response with any status and its complete body. */
export interface HttpResponse {
  status: number
  headers: Headers
  /** Final address, after redirects. */
  url: string
  /** Body without content encoding. */
  bytes: Buffer
}

/** Sends HTTP requests to external services. Implementations limit reachable addresses and response sizes. */
export interface HttpClient {
  /** Resolves with any response, including 4xx and 5xx. @throws HttpError if there is no response */
  fetch (url: string | URL, request?: HttpRequest): Promise<HttpResponse>
}

/**
 * refused: address not allowed. unreachable: connection failed or broke. timeout: deadline passed. too_large: body exceeds maxBytes.
 * fragmented: body arrives in too many small pieces.
 */
export type HttpFault = 'refused' | 'unreachable' | 'timeout' | 'too_large' | 'fragmented'

/**
 * A request without a usable response. The message names the host that the caller asked for, quotes nothing that a server sent, and omits
 * the query, which can contain keys.
 */
export class HttpError extends Error {
  readonly fault: HttpFault
  constructor (fault: HttpFault, message: string, options?: ErrorOptions) {
    super(message, options)
    this.fault = fault
  }
}
