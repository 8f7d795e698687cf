import { dayOf } from '../../schemas/utc-time.js'
import { InvalidArguments } from '../errors/operation-errors.js'

const dateForm = /^\d{4}-\d\d-\d\d$/
// Date takes 24:00 for midnight.
const dateTimeForm = /^\d{4}-\d\d-\d\d[Tt ](?!24)\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/

/**
 * The time that an argument names. A schema's date-time lets more through than a Date can be made of: leap seconds, offsets without
 * minutes.
 * @throws InvalidArguments when it is no RFC 3339 date or date-time
 * @see RFC 3339, section 5.6
 */
export function readTime (argument: string, text: string): Date {
  // The plus sign of an offset that is not encoded in an address arrives as a space.
  const written = text.trim().replace(/(:\d\d(?:\.\d+)?) (\d\d:\d\d)$/, '$1+$2')
  // A Date has no leap seconds: one is the second before it.
  const plain = written.toUpperCase().replace(' ', 'T').replace(/:59:60(?=[.Z+-])/, ':59:59')
  const time = dateForm.test(written) || dateTimeForm.test(written) ? new Date(plain) : undefined
  const day = time === undefined || Number.isNaN(time.getTime()) ? undefined : new Date(`${written.slice(0, 10)}T00:00:00Z`)
  // Date lets 30 February roll over into March.
  if (time === undefined || day === undefined || dayOf(day) !== written.slice(0, 10)) {
    throw new InvalidArguments(
      `${argument} is ${JSON.stringify(text)}. Allowed: an RFC 3339 date like 2026-11-20, or a date-time with its offset like ` +
        '2026-11-20T08:00:00Z.',
      { userMessage: 'This date is not valid. Use a date like 2027-01-01.' }
    )
  }
  return time
}

/** The time at which something expires. @throws InvalidArguments when it is not a time, or in the past */
export function readExpiry (argument: string, text: string, now: Date): Date {
  const expiry = readTime(argument, text)
  if (expiry > now) return expiry
  throw new InvalidArguments(`${argument} is ${text}, which is in the past. Use a later time.`, {
    userMessage: 'The expiry date is in the past.'
  })
}
