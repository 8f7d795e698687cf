import { sources } from '../index.js'

/** The rate limit that a request counts against, and the milliseconds between the starts of two requests. */
export interface RateLimit { group: string, intervalMs: number }

/** For hosts and full-text origins that no source declares. */
const defaultIntervalMs = 500

/** The rate limit of an address from data: its source's if one covers the host, else the host's own. */
export function rateLimitOf (url: string | URL): RateLimit {
  // An invalid address is rejected when it is fetched.
  const hostname = URL.canParse(String(url)) ? new URL(url).hostname : ''
  const source = sources.find(({ hosts }) => hosts?.test(hostname))
  return { group: source?.group ?? `host ${hostname}`, intervalMs: source?.intervalMs ?? defaultIntervalMs }
}

/** The rate limit of a group: that of its sources, or the default. */
export const rateLimitOfGroup = (group: string): RateLimit => ({
  group,
  intervalMs: sources.find(source => source.group === group)?.intervalMs ?? defaultIntervalMs
})
