import type { Installation } from '../operations/context.js'
import type { Settings } from '../settings/settings.js'

/** What the settings turn on, for whoever administers the service: no key, no password, no address that could hold one. */
export function featuresOf ({ jobs, fetching, smtp, llm, converter, contact, registration, rateLimit, baseUrl, sourceKeys }: Settings): Installation['features'] {
  const hours = Math.round(fetching.interval / 3_600_000)
  return [
    { name: 'Public address', on: baseUrl !== undefined, setting: 'BASE_URL', detail: baseUrl ?? null },
    { name: 'Background work', on: jobs, setting: 'JOBS', detail: jobs ? `Sources are looked at every ${hours} ${hours === 1 ? 'hour' : 'hours'}` : null },
    { name: 'Mail', on: smtp !== undefined, setting: 'SMTP_URL', detail: smtp === undefined ? null : `From ${smtp.from}` },
    { name: 'Written summaries', on: llm !== undefined, setting: 'LLM_URL', detail: llm?.model ?? null },
    { name: 'External PDF converter', on: converter !== undefined, setting: 'CONVERTER_URL', detail: converter?.kind ?? null },
    { name: 'Contact told to sources', on: contact !== undefined, setting: 'CONTACT_EMAIL', detail: contact ?? null },
    { name: 'PubMed key', on: sourceKeys.pubmed !== undefined, setting: 'PUBMED_API_KEY', detail: null },
    { name: 'OpenAlex key', on: sourceKeys.openalex !== undefined, setting: 'OPENALEX_API_KEY', detail: null },
    { name: 'Registration', on: registration !== 'closed', setting: 'REGISTRATION', detail: { first: 'For the first account only', open: 'For anybody', closed: null }[registration] },
    { name: 'Limit of calls', on: rateLimit > 0, setting: 'RATE_LIMIT', detail: rateLimit > 0 ? `${rateLimit} a minute` : null }
  ]
}
