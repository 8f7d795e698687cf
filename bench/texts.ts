/** Texts from a vocabulary with the skew of natural language; the same on every run. */
export function texts (seed = 42): (count: number) => string {
  let state = seed
  const random = () => { state = (state * 1664525 + 1013904223) % 4294967296; return state / 4294967296 }
  return count => Array.from({ length: count }, () => `w${Math.floor(20_000 ** random())}`).join(' ')
}
