import type { Alert } from '../../schemas/alert.js'

/** Hour of the day, UTC, at which digests go out; weekly ones on Mondays. */
const hour = 6
const monday = 1
const day = 24 * 60 * 60 * 1000
const soon = 60_000
const later = 60 * 60_000

/** When an alert is looked at next. */
export function nextSendAt (frequency: Alert['frequency'], after: Date): Date {
  if (frequency === 'immediate') return new Date(after.getTime() + soon)
  const today = new Date(Date.UTC(after.getUTCFullYear(), after.getUTCMonth(), after.getUTCDate(), hour))
  const days = Array.from({ length: 9 }, (_, days) => new Date(today.getTime() + days * day))
  return days.find(time => time > after && (frequency === 'daily' || time.getUTCDay() === monday))!
}

/** When it is looked at next after a failure, of which the job's own tries come before: at its time, or after an hour where it has none. */
export const nextSendAtAfterFailure = (frequency: Alert['frequency'], after: Date): Date =>
  frequency === 'immediate' ? new Date(after.getTime() + later) : nextSendAt(frequency, after)
