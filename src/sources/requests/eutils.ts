import type { HttpResponse } from '../../http/client.js'
import type { SourceContext } from '../source.js'

/** Size of a response with records. */
const maxRecordsBytes = 64 * 1024 * 1024

/**
 * Sends a request for PubMed to one of NCBI's E-utilities. By POST, because a query may be longer than an address, and a key in an address
 * would be logged on the way.
 */
export const requestEutils = (
  { fetch, baseUrl, contact, apiKey }: SourceContext,
  program: 'esearch' | 'efetch',
  parameters: Record<string, string>,
  maxBytes = maxRecordsBytes
): Promise<HttpResponse> =>
  fetch(new URL(`${baseUrl}/${program}.fcgi`), {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(new URLSearchParams({
      db: 'pubmed',
      tool: 'litfeed',
      ...(contact === undefined ? {} : { email: contact }),
      ...(apiKey === undefined ? {} : { api_key: apiKey }),
      ...parameters
    })),
    maxBytes
  })
