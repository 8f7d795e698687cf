import { minuteMs } from '../../../schemas/durations.js'
import { maxPauseSeconds } from '../../http/retry-after.js'
import { sources } from '../index.js'

/** The rate limit that a request counts against, and the milliseconds between the starts of two requests. */
export interface RateLimit { group: string, intervalMs: number }

/** For hosts and full-text origins that no source declares. */
const defaultIntervalMs = 500

/**
 * The longest pause that an address from data can cause, since anyone can choose it: of a host, and of a source, whose other requests
 * wait that long rather than fail. Projects ask the host of a journal feed again and again, so it is left alone for as long as it asks.
 */
export const maxPausesMs = { host: 10 * minuteMs, feedHost: maxPauseSeconds * 1000, source: 30_000 }

/** The rate limit of an address from data: its source's if one covers the host, else the host's own. */
export function rateLimitOf (url: string | URL, { isFeed = false } = {}): RateLimit & { maxPauseMs: number } {
  // An invalid address is rejected when it is fetched.
  const hostname = URL.canParse(String(url)) ? new URL(url).hostname : ''
  const source = sources.find(({ hosts }) => hosts?.test(hostname))
  return source === undefined
    ? { group: `host ${hostname}`, intervalMs: defaultIntervalMs, maxPauseMs: isFeed ? maxPausesMs.feedHost : maxPausesMs.host }
    : { group: source.group, intervalMs: source.intervalMs, maxPauseMs: maxPausesMs.source }
}

/** The rate limit of a group: that of its sources, or the default. */
export const rateLimitOfGroup = (group: string): RateLimit => ({
  group,
  intervalMs: sources.find(source => source.group === group)?.intervalMs ?? defaultIntervalMs
})
