import { readTimeZone } from '../../../papers/time-zones.js'

/** The time zone of the browser, which a script fills in; empty without scripts. */
export const OwnTimeZone = () => <input type='hidden' name='time_zone' data-own-time-zone='' />

/** A time zone that a browser stated; undefined if the service does not know it, which must not keep anybody from signing up. */
export const knownTimeZone = (stated: string | undefined): string | undefined => stated === undefined ? undefined : readTimeZone(stated)
