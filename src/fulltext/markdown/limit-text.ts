import type { ConverterResult } from '../converter-result.js'
import { maxTextCharacters } from '../limits.js'

const excess = `longer than ${maxTextCharacters.toLocaleString('en-US')} characters`
const note = `\n\n*The text ends here, because it is ${excess}.*\n`
/** Characters at the end in which a paragraph's end is looked for. */
const maxCutCharacters = 50_000

/** Cuts a text of excessive length after a paragraph, and says so in the text and in a warning. */
export function limitText<Result extends ConverterResult> (converted: Result): Result {
  const { markdown, warnings } = converted
  if (markdown.length <= maxTextCharacters) return converted
  const beginning = markdown.slice(0, maxTextCharacters - note.length)
  const paragraphEnd = beginning.lastIndexOf('\n\n')
  const kept = paragraphEnd > beginning.length - maxCutCharacters ? beginning.slice(0, paragraphEnd) : beginning
  const warning = `The document is ${excess}; the rest was cut.`
  return { ...converted, markdown: `${kept.toWellFormed()}${note}`, warnings: [...warnings, warning] }
}
