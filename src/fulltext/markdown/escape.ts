const entity = /&(?:#\d{1,7}|#x[\da-f]{1,6}|[a-z][a-z\d]{1,31});/iy
const space = /^\s?$/
const word = /[\p{L}\p{N}]/u
const punctuation = /[!-/:-@[-`{-~]/

/**
 * Escapes characters that Markdown would interpret at their position. Others stay: "5 * 3", "snake_case", "[12]".
 *
 * @param before the character before the text, '' at the start of a block
 * @param after the character after the text
 * @param inLink whether the text is inside a link, which a bracket would end
 */
export function escapeText (text: string, before: string, after: string, inLink = false): string {
  return text.replace(/[\\`*_[\]<&~$]/g, (mark, at: number) => {
    const previous = at === 0 ? before : text[at - 1]!
    const next = at + 1 === text.length ? after : text[at + 1]!
    return isMark(mark, previous, next, text, at, inLink) ? `\\${mark}` : mark
  })
}

function isMark (mark: string, previous: string, next: string, text: string, at: number, inLink: boolean): boolean {
  switch (mark) {
    case '\\': return next === '' || next === '\n' || punctuation.test(next)
    case '*': return !(space.test(previous) && space.test(next))
    case '_': return !(space.test(previous) && space.test(next)) && !(word.test(previous) && word.test(next))
    case '[': return inLink || next === '^'
    case ']': return inLink || next === '(' || next === ':'
    case '<': return /[a-z/!?*]/i.test(next)
    case '~': return next === '~' || !space.test(previous)
    case '&':
      entity.lastIndex = at
      return entity.test(text)
    default: return true
  }
}

/** Escapes the start of a line that would become a heading, list item, quotation, rule or fence. */
export function escapeLineStart (line: string): string {
  if (/^(?:#{1,6}(?:\s|$)|[-+*](?:\s|$)|>|~~~|-{3,}\s*$|=+\s*$)/.test(line)) return `\\${line}`
  return line.replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2')
}
