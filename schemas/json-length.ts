/**
 * Characters that the JSON of plain data has at least; stops counting beyond a maximum. Serializing an excessive value, to see how long it
 * is, would block the event loop. Escapes and the digits of numbers are not counted.
 */
export function minJsonLength (value: unknown, max = Infinity): number {
  let length = 0
  const pending: unknown[] = [value]
  while (pending.length > 0 && length <= max) {
    const each = pending.pop()
    if (typeof each === 'string') length += each.length + 2
    else if (typeof each === 'number') length += 1
    else if (typeof each !== 'object' || each === null) length += 4
    else if (Array.isArray(each)) {
      length += Math.max(2, each.length + 1)
      for (const item of each) pending.push(item)
    } else {
      // Braces; a comma follows each member but the last.
      let members = 0
      for (const name in each) {
        const member = (each as Record<string, unknown>)[name]
        if (member === undefined) continue
        length += name.length + 4
        members++
        pending.push(member)
      }
      length += members === 0 ? 2 : 1
    }
  }
  return length
}

/** Whether the JSON of plain data is certainly longer than a maximum. */
export const exceedsLength = (value: unknown, maxLength: number): boolean => minJsonLength(value, maxLength) > maxLength
