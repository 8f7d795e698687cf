import { plainText } from './plain-text.js'

/** Converts "Family, Given, Suffix" to "Given Family Suffix". A name without a comma is unchanged. */
export function readName (written: string): string {
  const text = plainText(written)
  const [family = '', givenNames = '', suffix = ''] = text.split(/\s*[,，]\s*/)
  return [givenNames, family, suffix].filter(part => part !== '').join(' ')
}

/** Converts MEDLINE's short names: "Smith JB" to "JB Smith", "de la Cruz M Jr" to "M de la Cruz Jr". */
export function readShortName (written: string): string {
  const text = plainText(written)
  const [, family, initials, suffix] = /^(.+?) (\p{Lu}{1,4})(?: (Jr|Sr|[2-9](?:nd|rd|th)))?$/u.exec(text) ?? []
  return family === undefined ? readName(text) : [initials, family, suffix].filter(part => part !== undefined).join(' ')
}

/** Converts non-empty names to authors. */
export const authorsOf = (names: readonly string[]): Array<{ name: string }> =>
  names.map(name => ({ name })).filter(({ name }) => /[\p{L}\p{N}]/u.test(name) && !/^(et al|others|and others)\.?$/i.test(name))
