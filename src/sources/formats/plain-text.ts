import { decodeHTML } from 'entities'

/** Attributes have an equals sign: "a<b and c>d" is no markup. */
const attributes = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"']+))*\s*\/?`
const elements = (names: string) => new RegExp(`</?(?:${names})${attributes}>`, 'gi')
/** Elements that sources put into titles and abstracts; anything else in angle brackets stays. */
const tags = elements(String.raw`a|abbr|b|big|br|code|div|em|h[1-6]|i|inf|inline-formula|italic|jats:[\w-]+|li|mml:[\w-]+|ol|p|sc|sec|small|span|strong|sub|sup|title|tt|u|ul`)
const blocks = elements('p|br|div|li|h[1-6]|sec|jats:p|jats:sec|jats:title')

/** Text without markup and entities, on one line, in NFC. */
export const plainText = (text: string): string => collapse(unmarked(text))

/** The same with paragraphs kept, a blank line between them. */
export function plainParagraphs (text: string): string | null {
  const paragraphs = unmarked(text).split(/\n\s*\n|\u2029/).map(collapse).filter(paragraph => paragraph !== '')
  return paragraphs.length === 0 ? null : paragraphs.join('\n\n')
}

function unmarked (text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return decodeHTML(text.replace(blocks, '\n\n').replace(tags, '')).replace(tags, '')
}

// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/g

/** Marks on one letter, of which no language has so many: to put n of them in order takes NFC n² steps. Source: UAX 15, Stream-Safe Text Format. */
const heaped = /(\p{M}{30})\p{M}+/gu

/** Text on one line: whitespace of any kind, next line (U+0085) and the separator controls included, as single spaces. */
// eslint-disable-next-line no-control-regex
export const joinLines = (text: string): string => text.replace(/[\s\u0085\u001c-\u001f]{2,}|[^\S ]|[\u0085\u001c-\u001f]/g, ' ').trim()

/** On one line, in NFC, without the characters that no text has: JSON and entities can write them into any file. */
function collapse (text: string): string {
  const line = joinLines(text)
  return /^[ -~]*$/.test(line) ? line : dotted(line.replace(controls, '').replace(heaped, '$1')).toWellFormed().normalize('NFC')
}

/** LaTeX writes í as an accent on a dotless i; Unicode puts it on an i. */
const dotted = (text: string) => text.replace(/ı(?=[\u0300-\u036f])/g, 'i').replace(/ȷ(?=[\u0300-\u036f])/g, 'j')
