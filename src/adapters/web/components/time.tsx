import { LRUCache } from 'lru-cache'
import { useView } from '../view.js'

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

interface TimeProps { at: string | null, missing?: string, precise?: boolean, zone?: 'UTC' }

/**
 * A date, or a time if `precise`, in the time zone of the account.
 * @param at RFC 3339; null shows as `missing`
 * @param zone UTC for a date that is defined in it, such as the end of a period
 */
export function Time ({ at, missing = 'never', precise = false, zone }: TimeProps) {
  const { account } = useView()
  if (at === null) return <span>{missing}</span>
  const time = new Date(at)
  const formats = formatsIn(zone ?? account?.time_zone ?? 'UTC')
  return <time dateTime={at} title={formats.minute.format(time)}>{(precise ? formats.minute : formats.day).format(time)}</time>
}
