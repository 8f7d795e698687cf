import { plainText } from './plain-text.js'

/** "Family, Given" and "Family, Given, Suffix" as "Given Family Suffix"; a name without a comma stays as it is. */
export function readName (written: string): string {
  const text = plainText(written)
  const [family = '', given = '', suffix = ''] = text.split(/\s*[,，]\s*/)
  return [given, family, suffix].filter(part => part !== '').join(' ')
}

/** "Smith JB" and "de la Cruz M Jr", as MEDLINE shortens names, as "JB Smith" and "M de la Cruz Jr". */
export function readShortName (written: string): string {
  const text = plainText(written)
  const [, family, initials, suffix] = /^(.+?) (\p{Lu}{1,4})(?: (Jr|Sr|[2-9](?:nd|rd|th)))?$/u.exec(text) ?? []
  return family === undefined ? readName(text) : [initials, family, suffix].filter(part => part !== undefined).join(' ')
}

/** Names of a list: those that say something, each as an author. */
export const authorsOf = (names: readonly string[]): Array<{ name: string }> =>
  names.map(name => ({ name })).filter(({ name }) => /[\p{L}\p{N}]/u.test(name) && !/^(et al|others|and others)\.?$/i.test(name))
