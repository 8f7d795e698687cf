import type { Alert } from '../../schemas/alert.js'

/** Digests are sent at 06:00 UTC; weekly ones on Mondays. */
const digestHour = 6
const monday = 1
const dayMs = 24 * 60 * 60 * 1000
const immediateDelayMs = 60_000
const failureDelayMs = 60 * 60_000

/** Returns the time of an alert's next delivery. */
export function nextSendAt (frequency: Alert['frequency'], after: Date): Date {
  if (frequency === 'immediate') return new Date(after.getTime() + immediateDelayMs)
  const today = new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), digestHour))
  const days = Array.from({ length: 9 }, (_, days) => new Date(today.getTime() + days * dayMs))
  return days.find(time => time > after && (frequency === 'daily' || time.getUTCDay() === monday))!
}

/** Returns the time of the next delivery after a job ran out of retries: the next digest, or in an hour for immediate alerts. */
export const nextSendAtAfterFailure = (frequency: Alert['frequency'], after: Date): Date =>
  frequency === 'immediate' ? new Date(after.getTime() + failureDelayMs) : nextSendAt(frequency, after)
