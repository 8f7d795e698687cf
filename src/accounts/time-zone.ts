import { InvalidArguments } from '../errors/operation-errors.js'
import { readTimeZone } from '../papers/time-zones.js'

/** The time zone of a name, as the tz database spells it. @throws InvalidArguments for an unknown one */
export function timeZoneNamed (name: string): string {
  const timeZone = readTimeZone(name)
  if (timeZone !== undefined) return timeZone
  throw new InvalidArguments(
    `time_zone "${name.slice(0, 64)}" is unknown. Use an IANA name such as Europe/Berlin, America/New_York or UTC.`,
    { userMessage: 'Choose a time zone, such as Europe/Berlin.' }
  )
}
