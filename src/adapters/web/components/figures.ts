const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Formats a size in powers of 1000: "3.4 GB". */
export function formatBytes (bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value.toLocaleString('en', { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${units[power]}`
}

/** Formats a duration in its two largest units: "3 days 4 hours". @param seconds an integer */
export function formatDuration (seconds: number): string {
  const parts = [['day', 86_400], ['hour', 3600], ['minute', 60], ['second', 1]] as const
  const first = parts.findIndex(([, length]) => seconds >= length)
  if (first === -1) return '0 seconds'
  let remaining = seconds
  return parts.slice(first, first + 2).flatMap(([name, length]) => {
    const count = Math.floor(remaining / length)
    remaining -= count * length
    return count === 0 ? [] : [`${count} ${name}${count === 1 ? '' : 's'}`]
  }).join(' ')
}

/** Formats a count: "1,234". */
export const formatCount = (number: number): string => number.toLocaleString('en')

/** Formats a number of records of a file: "1 record", "1,234 records". */
export const formatRecords = (number: number): string => `${formatCount(number)} ${number === 1 ? 'record' : 'records'}`

/** Formats a number of papers: "1 paper", "1,234 papers". */
export const formatPapers = (number: number): string => `${formatCount(number)} ${number === 1 ? 'paper' : 'papers'}`
