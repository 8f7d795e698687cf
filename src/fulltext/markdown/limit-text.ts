import type { ConverterResult } from '../converter-result.js'
import { maxTextCharacters } from '../limits.js'

const excess = `longer than ${maxTextCharacters.toLocaleString('en-US')} characters`
/** Characters at the end in which a paragraph's end is looked for. */
const maxCutCharacters = 50_000

/** Cuts a text of excessive length after a paragraph. Says at its end, and in the warnings, what it lacks. */
export function limitText (converted: ConverterResult): ConverterResult {
  const { markdown, losses = [], ...others } = converted
  const isTooLong = markdown.length > maxTextCharacters
  if (!isTooLong && losses.length === 0) return converted
  const notes = [
    ...isTooLong ? [`The text ends here, because it is ${excess}.`] : [],
    ...losses.length > 0 ? [`This text is incomplete. ${losses.join(' ')}`] : []
  ]
  const end = notes.map(note => `\n\n*${note}*`).join('')
  const warnings = [...losses, ...others.warnings, ...isTooLong ? [`The document is ${excess}; the rest was cut.`] : []]
  return { ...others, markdown: `${cut(markdown.trimEnd(), maxTextCharacters - end.length - 1)}${end}\n`, warnings }
}

function cut (markdown: string, maxCharacters: number): string {
  if (markdown.length <= maxCharacters) return markdown
  const beginning = markdown.slice(0, maxCharacters)
  const paragraphEnd = beginning.lastIndexOf('\n\n')
  return (paragraphEnd > beginning.length - maxCutCharacters ? beginning.slice(0, paragraphEnd) : beginning).toWellFormed()
}
