/**
 * @returns a function that makes texts of so many words, with the word frequencies of natural language; the same on every run for one seed
 */
export function textGenerator (seed = 42): (count: number) => string {
  let state = seed
  const random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296 }
  return count => Array.from({ length: count }, () => `w${Math.floor(20_000 ** random())}`).join(' ')
}
