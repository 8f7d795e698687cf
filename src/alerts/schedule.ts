import { dayMs, hourMs, minuteMs } from '../../schemas/durations.js'
import { type Alert, weekdays } from '../../schemas/alert.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { instantOf, localTimeAt } from '../papers/time-zones.js'

const immediateDelayMs = minuteMs
const failureDelayMs = hourMs
/** A digest is read on the day that it is for. */
const digestDelayMs = 3 * hourMs
/** A week in which clocks change has an hour more. */
const longestPeriodMs = 8 * dayMs

/** When an alert is sent. */
export interface Schedule extends Pick<Alert, 'frequency' | 'weekday' | 'hour'> {
  /** Of the account. */
  time_zone: string
}

/** Returns the time of an alert's next delivery: digests at their hour in the account's time zone, weekly ones on their day. */
export function nextSendAt ({ frequency, weekday, hour, time_zone }: Schedule, after: Date): Date {
  if (frequency === 'immediate') return new Date(after.getTime() + immediateDelayMs)
  const { year, month, day } = localTimeAt(after, time_zone)
  const dates = Array.from({ length: 9 }, (_, days) => new Date(Date.UTC(year, month - 1, day + days)))
    .filter(date => frequency === 'daily' || weekdays[(date.getUTCDay() + 6) % 7] === weekday)
  return dates
    .map(date => instantOf(
      { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate(), hour },
      time_zone
    ))
    .find(time => time > after)!
}

/** Returns the last time before `before` when an alert was due: items that entered since belong into its next delivery. */
export function previousSendAt (schedule: Schedule, before: Date): Date {
  if (schedule.frequency === 'immediate') return new Date(before.getTime() - failureDelayMs)
  let last = nextSendAt(schedule, new Date(before.getTime() - longestPeriodMs))
  for (let next = nextSendAt(schedule, last); next <= before; next = nextSendAt(schedule, next)) last = next
  return last
}

/**
 * Returns the time of the next delivery after a job ran out of retries: for digests, three hours later, or their next one if that is
 * earlier; for immediate alerts, an hour later.
 */
export function nextSendAtAfterFailure (schedule: Schedule, after: Date): Date {
  if (schedule.frequency === 'immediate') return new Date(after.getTime() + failureDelayMs)
  return new Date(Math.min(after.getTime() + digestDelayMs, nextSendAt(schedule, after).getTime()))
}

/**
 * Returns the time of the next delivery of an alert whose schedule changed: a failed one is retried no later than planned before.
 * @param former the alert as it was
 */
export function nextSendAtAfterChange (
  former: Schedule & { next_send_at: Date, last_error: string | null },
  changed: Schedule,
  after: Date
): Date {
  const regular = nextSendAt(changed, after)
  // After a failure that no retry can help, the next delivery is a regular one, too.
  const isRetry = former.last_error !== null && former.next_send_at < nextSendAt(former, after)
  return isRetry && former.next_send_at < regular ? former.next_send_at : regular
}

/** A confirmation of an address at a time, which starts digests that waited for it. */
export const confirmationAt = (now: Date) => ({ now, nextSendAt: (digest: Schedule): Date => nextSendAt(digest, now) })

/** @throws InvalidArguments for mail without a digest */
export function requireDigest (kind: Alert['kind'], frequency: Alert['frequency']): void {
  if (kind !== 'email' || frequency !== 'immediate') return
  throw new InvalidArguments(
    'frequency "immediate" is only for webhooks. Email alerts are daily or weekly.',
    { userMessage: 'Email alerts are sent daily or weekly.' }
  )
}
