/** Longest pause that is respected: a server may ask for years by mistake. */
export const maxPauseSeconds = 24 * 60 * 60

/** Whether a server that responded with this status may respond otherwise later: timeouts, rate limits and its own failures. */
export const isTransient = (status: number): boolean => status === 408 || status === 425 || status === 429 || status >= 500

/**
 * Parses a header that holds seconds or a date, such as Retry-After, to seconds from now, at most a day. Source: RFC 9110, section 10.2.3.
 * @returns undefined if the header is missing or is neither
 */
export function readRetryAfter (value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value.trim()) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(0, seconds), maxPauseSeconds)
}
