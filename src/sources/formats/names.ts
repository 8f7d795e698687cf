import { plainText } from './plain-text.js'

/** "Family, Given" and "Family, Given, Suffix" as "Given Family Suffix"; a name without a comma stays as it is. */
export function readName (written: string): string {
  const text = plainText(written)
  const [family = '', given = '', suffix = ''] = text.split(/\s*[,，]\s*/)
  return [given, family, suffix].filter(part => part !== '').join(' ')
}

/** Names of a list: those that say something, each as an author. */
export const authorsOf = (names: readonly string[]): Array<{ name: string }> =>
  names.map(name => ({ name })).filter(({ name }) => /[\p{L}\p{N}]/u.test(name) && !/^(et al|others|and others)\.?$/i.test(name))
