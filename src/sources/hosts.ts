import { sources } from './index.js'

/** The rate limit that a request counts against, and the milliseconds between the starts of two requests. */
export interface Pace { group: string, intervalMs: number }

/** For hosts and full-text origins that no source declares. */
const defaultIntervalMs = 500

/** The pace for an address from data: that of the source whose limit covers its host, else the host's own. */
export function paceOf (url: string | URL): Pace {
  // An invalid address is rejected when it is fetched.
  const hostname = URL.canParse(String(url)) ? new URL(url).hostname : ''
  const source = sources.find(({ hosts }) => hosts?.test(hostname))
  return { group: source?.group ?? `host ${hostname}`, intervalMs: source?.intervalMs ?? defaultIntervalMs }
}

/** The pace of a group: that of its sources, or the default. */
export const paceOfGroup = (group: string): Pace => ({
  group,
  intervalMs: sources.find(source => source.group === group)?.intervalMs ?? defaultIntervalMs
})
