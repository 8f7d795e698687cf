import { LRUCache } from 'lru-cache'

const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minutesByZone = new LRUCache<string, Intl.DateTimeFormat>({ max: 100 })

function minuteIn (timeZone: string): Intl.DateTimeFormat {
  const known = minutesByZone.get(timeZone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone, timeZoneName: 'short'
  })
  minutesByZone.set(timeZone, format)
  return format
}

interface TimeProps { at: string | null, missing?: string, precise?: boolean, zone?: string }

/** A date, or a time if `precise`, in UTC or another time zone. @param at RFC 3339; null shows as `missing` */
export function Time ({ at, missing = 'never', precise = false, zone = 'UTC' }: TimeProps) {
  if (at === null) return <span>{missing}</span>
  const time = new Date(at)
  return <time dateTime={at} title={minuteIn(zone).format(time)}>{(precise ? minuteIn(zone) : day).format(time)}</time>
}
