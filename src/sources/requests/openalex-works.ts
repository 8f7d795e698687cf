import type { JsonObject } from '../../../schemas/json-object.js'
import type { HttpResponse } from '../../http/client.js'
import { SourceError, type SourceContext } from '../source.js'
import { excerpt, object, text } from './answers.js'

/** Requests works of OpenAlex. @throws SourceError if it refuses, which it does to many requests without a key */
export async function requestWorks (
  { fetch, baseUrl, contact, apiKey }: SourceContext,
  parameters: Record<string, string>
): Promise<HttpResponse> {
  const url = new URL(`${baseUrl}/works`)
  url.search = String(new URLSearchParams({
    ...parameters,
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(contact === undefined ? {} : { mailto: contact })
  }))
  const response = await fetch(url)
  if (response.status === 401 || response.status === 403) {
    throw new SourceError(
      'unavailable',
      `OpenAlex rejected the request (status ${response.status}). The operator can set OPENALEX_API_KEY; a key is free.`,
      { detail: excerpt(response.bytes.toString('utf8', 0, 16_000)) }
    )
  }
  return response
}

/** The PMCID of a work, of which OpenAlex may give the digits alone; null without one. */
export function workPmcid ({ ids }: JsonObject): string | null {
  const digits = /(?<!\d)(\d{1,10})\/?$/.exec(text(object(ids).pmcid))?.[1]
  return digits === undefined ? null : `PMC${digits}`
}

/** Types of works that are notices on other works: OpenAlex may flag them in place of those. */
const noticeTypes: ReadonlySet<unknown> = new Set(['retraction', 'erratum'])

/** Whether OpenAlex flags a work as retracted. */
export const isRetractedWork = ({ is_retracted: isFlagged, type }: JsonObject): boolean => isFlagged === true && !noticeTypes.has(type)
