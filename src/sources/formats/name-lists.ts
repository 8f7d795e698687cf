import { readName, readShortName } from './names.js'
import { plainText } from './plain-text.js'

const initials = String.raw`(?:\p{Lu}\.?[ -]?){1,4}`
const initialsForm = new RegExp(`^${initials}$`, 'u')
/** A family name and initials, as indexes write them: "Smith J.B.", "de la Cruz M". */
const indexedForm = new RegExp(`^(\\p{L}.*?) (${initials})$`, 'u')
/** More people are never in one field. */
const maxNames = 20_000

/**
 * Splits the text of one field into names, given names first. Semicolons, vertical lines and lines separate names, and so do "and" and
 * commas where these do not separate the parts of one name: "Smith J, Doe K", "Smith, J., Doe, K." and "John Smith, Karen Doe".
 * @param options.hasFullNames whether commas may separate full names, or "García Márquez, Gabriel José" is one
 */
export function namesIn (written: string, { hasFullNames = true }: { hasFullNames?: boolean } = {}): string[] {
  const lines = partsOf(written, /[\r\n]+/)
  if (lines.length > 1) return lines.map(readListedName)
  const text = plainText(written)
  const listed = partsOf(text, text.includes(';') ? ';' : '|')
  return (listed.length > 1 || /[;|]/.test(text) ? listed : splitProse(text, hasFullNames)).map(readListedName)
}

const partsOf = (text: string, separator: RegExp | string): string[] =>
  text.split(separator, maxNames).map(name => name.trim()).filter(name => name !== '')

/** Splits names at "and" and commas. */
function splitProse (text: string, hasFullNames: boolean): string[] {
  // PubMed ends its lists with a full stop.
  const list = text.includes(',') && text.indexOf('.') === text.length - 1 ? text.slice(0, -1) : text
  const names = partsOf(list, /,? and | & /)
  // One word is no name: "Research and Development Group".
  if (names.length > 1 && names.every(name => name.includes(' '))) {
    // "John Smith, Karen Doe and Ann Lee" has a name without comma, "Smith, John and Doe, Karen" has none.
    const leastParts = names.some(name => !name.includes(',')) ? 2 : 3
    return names.flatMap(name => name.split(',', leastParts).length === leastParts ? splitAtCommas(name, hasFullNames) : [name])
  }
  return splitAtCommas(list, hasFullNames)
}

function splitAtCommas (text: string, hasFullNames: boolean): string[] {
  const parts = partsOf(text, ',')
  if (parts.length % 2 === 0 && parts.every((part, at) => initialsForm.test(part) === (at % 2 === 1))) {
    return parts.flatMap((part, at) => at % 2 === 0 ? [`${part}, ${parts[at + 1]}`] : [])
  }
  return parts.every(part => hasFullNames ? part.includes(' ') : indexedForm.test(part)) ? parts : [text]
}

/** Scopus appends its number of the author. */
const numberForm = /\s\(\d{5,20}\)$/

/** Reads one name of a list. */
function readListedName (written: string): string {
  const name = plainText(written).replace(numberForm, '').replace(/ et al\.?$/i, '').replace(/,$/, '')
  if (name.includes(',')) return readName(name)
  const [, family, given] = indexedForm.exec(name) ?? []
  return family === undefined ? readShortName(name) : `${given} ${family}`
}
