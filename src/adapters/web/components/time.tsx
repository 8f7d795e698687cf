const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short'
})

/** A date, or a time if `precise`, in UTC. @param at RFC 3339; null shows as `missing` */
export function Time ({ at, missing = 'never', precise = false }: { at: string | null, missing?: string, precise?: boolean }) {
  if (at === null) return <span>{missing}</span>
  const time = new Date(at)
  return <time dateTime={at} title={minute.format(time)}>{(precise ? minute : day).format(time)}</time>
}
