import type { HttpResponse } from '../../http/client.js'
import { SourceError } from '../source.js'
import { excerpt } from './answers.js'
import { headOf } from './read-answer.js'

const title = 'PubMed'

/** Bytes of an answer that tell why it is an error. */
export const maxErrorBytes = 4000

/** An error of NCBI's service or of the operator's key, with which every query fails. */
const ownFault = /backend|unavailable|timed? ?out|exception|server|proxy_stream|failed to connect/i

/** @param fault what an answer of NCBI says about an error @returns undefined where the query may be at fault */
export function ncbiFailure (fault: string): SourceError | undefined {
  const detail = fault.slice(0, 200)
  if (/rate limit/i.test(fault)) return new SourceError('rate_limited', 'PubMed is rate-limiting requests.', { detail })
  if (/api key/i.test(fault)) {
    return new SourceError('unavailable', 'PubMed rejected the API key. The operator can correct PUBMED_API_KEY.', { detail })
  }
  return ownFault.test(fault) ? new SourceError('unavailable', 'PubMed is temporarily unavailable.', { detail }) : undefined
}

/**
 * The start of efetch's answer, or undefined if it knows none of the ids. It reports errors in an envelope of XML, with status 200 or 400,
 * and is asked for ids that PubMed gave: no query is at fault.
 * @throws SourceError
 */
export function efetchHead (answer: HttpResponse): string | undefined {
  if (answer.status !== 400) {
    const head = headOf(answer, title)
    if (!/<eFetchResult[\s>]/.test(head)) return head
  }
  const error = excerpt(answer.bytes.toString('utf8', 0, maxErrorBytes))
  if (/ID list is empty/i.test(error)) return undefined
  throw ncbiFailure(error) ?? new SourceError('unavailable', 'PubMed could not send the records.', { detail: error })
}
