/** Whether a mark occurs in a text more often than a number of times. Reads no further than that. */
export function occursMoreThan (text: string, mark: string, times: number): boolean {
  let count = 0
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) if (++count > times) return true
  return false
}
