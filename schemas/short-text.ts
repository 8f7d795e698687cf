/**
 * A text of at most `maxLength` characters. A longer one is cut after a word, if one ends near the limit, and has an ellipsis. Writing
 * without spaces is cut anywhere.
 */
export function shortText (text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  // Half of a surrogate pair is not a character.
  const beginning = text.slice(0, maxLength - 1).replace(/[\uD800-\uDBFF]$/, '')
  // Each run of spaces is tried once, from its start.
  const words = beginning.replace(/(?<!\s)\s+\S{0,40}$/, '')
  return words === beginning ? `${beginning}…` : `${words} …`
}
