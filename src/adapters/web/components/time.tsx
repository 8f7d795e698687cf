import { LRUCache } from 'lru-cache'

const day = { day: 'numeric', month: 'short', year: 'numeric' } as const
const minute = { ...day, hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const
interface Formats { day: Intl.DateTimeFormat, minute: Intl.DateTimeFormat }
const formatsByZone = new LRUCache<string, Formats>({ max: 100 })

function formatsIn (timeZone: string): Formats {
  const known = formatsByZone.get(timeZone)
  if (known !== undefined) return known
  const formats = {
    day: new Intl.DateTimeFormat('en-GB', { ...day, timeZone }),
    minute: new Intl.DateTimeFormat('en-GB', { ...minute, timeZone })
  }
  formatsByZone.set(timeZone, formats)
  return formats
}

interface TimeProps { at: string | null, missing?: string, precise?: boolean, zone?: string | undefined }

/** A date, or a time if `precise`, in UTC or another time zone. @param at RFC 3339; null shows as `missing` */
export function Time ({ at, missing = 'never', precise = false, zone = 'UTC' }: TimeProps) {
  if (at === null) return <span>{missing}</span>
  const time = new Date(at)
  const formats = formatsIn(zone)
  return <time dateTime={at} title={formats.minute.format(time)}>{(precise ? formats.minute : formats.day).format(time)}</time>
}
