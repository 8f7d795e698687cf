const maxTitleLength = 200

/** The words of a heading line, without the marks of Markdown. */
export function plainTitle (heading: string): string {
  const [line = ''] = heading.trimStart().split(/\r?\n/, 1)
  const words = line
    .replace(/^#{1,6}\s*/, '').replace(/\s+#+\s*$/, '')
    .replace(/<\/?(?:sub|sup|em|strong)>|<br>/g, '')
    .replace(/\[([^\]]*)\]\([^)\s]*\)/g, '$1')
    .replace(/(?<!\\)(?:\*+|`+)/g, '')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replace(/\s+/g, ' ').trim()
  return words.length <= maxTitleLength ? words : `${words.slice(0, maxTitleLength).toWellFormed().replace(/\s+\S*$/, '')} …`
}
