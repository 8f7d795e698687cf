import { isTimeZoneName, readTimeZone } from '../../../papers/time-zones.js'

/** The time zone of the browser, which a script fills in; empty without scripts. */
export const OwnTimeZone = () => <input type='hidden' name='time_zone' data-own-time-zone='' />

/** A time zone that a browser stated; undefined for a name that the service does not know, which must not keep anybody from signing up. */
export const knownTimeZone = (stated: string | undefined): string | undefined =>
  stated !== undefined && isTimeZoneName(stated) && readTimeZone(stated) === undefined ? undefined : stated
