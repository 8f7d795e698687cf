const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const minute = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit', timeZone: 'UTC', timeZoneName: 'short' })

/** A time of the service, in UTC, as people write it. @param at RFC 3339; null shows as `missing` */
export const Time = ({ at, missing = 'never', precise = false }: { at: string | null, missing?: string, precise?: boolean }) =>
  at === null ? <span>{missing}</span> : <time dateTime={at} title={minute.format(new Date(at))}>{(precise ? minute : day).format(new Date(at))}</time>
