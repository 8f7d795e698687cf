import { type HttpClient, HttpError, type HttpResponse } from '../../http/client.js'
import { identifierInTexts } from '../../papers/identifier-in-text.js'
import { identifierOnPage } from '../../papers/identifier-on-page.js'
import type { PastedIdentifier } from '../../papers/pasted-identifier.js'

/** A page from which no identifier can be read. The message says why and what to do, and quotes nothing that the page says. */
export class UnusablePage extends Error {}

const maxMegabytes = 8
const timeoutMs = 15_000
const advice = 'Enter the paper’s DOI, PMID, PMCID or arXiv id.'

/**
 * Fetches the page of a paper and reads the identifier that it states.
 * @param pages reaches public addresses only
 * @throws UnusablePage, SourceError if the host is not to be asked now, or the signal's reason
 */
export async function findOnPage (pages: HttpClient, address: string, signal?: AbortSignal): Promise<PastedIdentifier> {
  const page = await fetchPage(pages, address, signal)
  const { host } = new URL(address)
  // An address that redirects to the paper can name it.
  const named = identifierInTexts([page.url])
  if (named !== undefined) return named
  if (page.status >= 400) throw new UnusablePage(`${host} answered with status ${page.status}. ${advice}`)
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(page.headers.get('content-type')?.trim() ?? '')) {
    throw new UnusablePage(`This address of ${host} is not a web page. ${advice}`)
  }
  const stated = await identifierOnPage(page.bytes, page.url)
  if (stated === undefined) throw new UnusablePage(`This page of ${host} states no DOI, PMID or arXiv id. ${advice}`)
  return stated
}

async function fetchPage (pages: HttpClient, address: string, signal: AbortSignal | undefined): Promise<HttpResponse> {
  try {
    return await pages.fetch(address, {
      headers: { accept: 'text/html, application/xhtml+xml;q=0.9, */*;q=0.1' },
      maxBytes: maxMegabytes * 1024 * 1024,
      timeoutMs,
      signal
    })
  } catch (cause) {
    throw cause instanceof HttpError ? new UnusablePage(`${cause.message} ${advice}`, { cause }) : cause
  }
}
