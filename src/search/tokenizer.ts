/** Characters of one word; anything else separates words. */
const runs = /[\p{L}\p{N}\p{M}]+/gu
const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]+/gu
/** Letters that Unicode does not take apart into a base and a mark, though people type them without. */
const folded: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', ł: 'l', ı: 'i', þ: 'th', ħ: 'h' }
const foldable = new RegExp(`[${Object.keys(folded).join('')}]`, 'g')
/** A word with nothing to fold. */
const plain = /^[a-z0-9]+$/
/** Longest part of a word that is told apart; an index entry may not be longer than 2 kB. */
const longestWord = 64

/** The words of a text as people see them: NFKC, lower case, in order. Source: contract, section 3, feed_search. */
export function wordsOf (text: string): string[] {
  return text.normalize('NFKC').toLowerCase().match(runs) ?? []
}

/**
 * The index entries of one word: accents folded; Chinese and Japanese, which have no spaces, in overlapping pairs of characters
 * with the last character by itself, so that any piece of two or more characters is found wherever it stands.
 */
export function entriesOf (word: string): string[] {
  if (plain.test(word)) return [word.slice(0, longestWord)]
  const entries: string[] = []
  let end = 0
  for (const { 0: run, index } of word.matchAll(cjk)) {
    if (index > end) entries.push(fold(word.slice(end, index)))
    const characters = [...run]
    for (let at = 0; at + 1 < characters.length; at++) entries.push(characters[at]! + characters[at + 1]!)
    entries.push(characters.at(-1)!)
    end = index + run.length
  }
  if (end < word.length) entries.push(fold(word.slice(end)))
  return entries.filter(entry => entry !== '')
}

/**
 * Words that a hyphen joins, as people also write them without it: "IL-6" as "IL6". Only where a digit makes it a name. Looked for from where a
 * word begins alone: from each of its characters, the rest of a long one would be read again.
 */
const joined = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:[-\u2010-\u2015\u2212][\p{L}\p{N}\p{M}]+)+/gu
const longestCompound = 24

export function compoundsOf (text: string): string[] {
  const compounds: string[] = []
  if (!/\p{N}/u.test(text)) return compounds
  for (const [compound] of text.normalize('NFKC').toLowerCase().matchAll(joined)) {
    if (compound.length <= longestCompound && /\p{N}/u.test(compound) && /\p{L}/u.test(compound)) compounds.push(fold(compound.replace(/[^\p{L}\p{N}\p{M}]/gu, '')))
  }
  return compounds
}

/** The entries that a query's word must begin: as above, without the last single character, which a longer text need not end with. */
export function queryEntriesOf (word: string): string[] {
  const entries = entriesOf(word)
  return entries.filter((entry, at) => !(at > 0 && [...entry].length === 1 && new RegExp(cjk.source, 'u').test(entry) && [...entries[at - 1]!].length === 2))
}

/** Marks of Latin, Greek and Cyrillic go; those of other scripts are letters in their own right. */
function fold (word: string): string {
  return word.normalize('NFD').replace(/[\u0300-\u036f]/g, '').normalize('NFC').replace(foldable, letter => folded[letter]!).slice(0, longestWord)
}

const greekLetters = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta', 'iota', 'kappa', 'lambda', 'mu', 'nu', 'xi', 'omicron', 'pi', 'rho', 'sigma', 'tau', 'upsilon', 'phi', 'chi', 'psi', 'omega']
const names = new Map([...'αβγδεζηθικλμνξοπρστυφχψω'].map((letter, at) => [letter, greekLetters[at]!]))
const letters = new Map([...names].map(([letter, name]) => [name, letter]))

/** Other ways to write a word with a Greek letter in it: "β2" as "beta2", "beta2" as "β2". Words of Greek itself have none. */
export function greekForms (word: string): string[] {
  const [, name, number] = /^([a-z]+)(\d*)$/.exec(word) ?? []
  const letter = letters.get(name ?? '')
  if (letter !== undefined) return [letter + number!]
  const isMixed = [...word].length === 1 || /[a-z0-9]/.test(word)
  return isMixed && /[α-ω]/.test(word) ? [word.replace(/[α-ω]/g, letter => names.get(letter) ?? letter)] : []
}
