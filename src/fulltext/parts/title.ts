import { shortText } from '../../../schemas/short-text.js'

const maxTitleLength = 200
/** Characters of a heading that are read. */
const maxHeadingLength = 300

/** The words of a heading line, without the marks of Markdown. */
export function plainTitle (heading: string): string {
  const [line = ''] = heading.trimStart().slice(0, maxHeadingLength).split(/\r?\n/, 1)
  const words = line
    .replace(/^#{1,6}\s*/, '').replace(/(?<!\s)\s+#+\s*$/, '')
    .replace(/<\/?(?:sub|sup|em|strong)>|<br>/g, '')
    .replace(/\[([^[\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(?<!\\)(?:\*+|`+)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ').trim()
  return shortText(words, maxTitleLength)
}
