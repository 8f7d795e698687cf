import { decodeHTML } from 'entities'

/** Elements of markup that sources put into titles and abstracts. Unknown ones stay, since "a<b and c>d" is no markup. */
const tags = /<\/?(?:a|abbr|b|big|br|div|em|h[1-6]|i|inf|inline-formula|italic|jats:[\w-]+|li|mml:[\w-]+|ol|p|sc|sec|small|span|strong|sub|sup|title|tt|u|ul)(?:\s[^<>]*)?\/?>/gi
const blocks = /<\/?(?:p|br|div|li|h[1-6]|sec|jats:p|jats:sec|jats:title)(?:\s[^<>]*)?\/?>/gi

/** Text without markup and entities, on one line, in NFC. */
export const plainText = (text: string): string => collapse(unmarked(text))

/** The same with paragraphs kept, a blank line between them. */
export function plainParagraphs (text: string): string | null {
  const paragraphs = unmarked(text).split(/\n\s*\n/).map(collapse).filter(paragraph => paragraph !== '')
  return paragraphs.length === 0 ? null : paragraphs.join('\n\n')
}

function unmarked (text: string): string {
  if (!text.includes('<') && !text.includes('&')) return text
  return decodeHTML(text.replace(blocks, '\n\n').replace(tags, '')).replace(tags, '')
}

const collapse = (text: string) => text.replace(/\s+/g, ' ').trim().normalize('NFC')
