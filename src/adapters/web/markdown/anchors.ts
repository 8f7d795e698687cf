import type { Token } from 'markdown-it'
import { anchorsIn } from '../../../fulltext/parts/anchors.js'

/**
 * Puts an empty element with the anchor's id before each block that paper_markdown can link to. Equal blocks have one anchor, which is that
 * of the first.
 * @param text what the tokens were parsed from
 */
export function placeAnchors (tokens: readonly Token[], text: string): Token[] {
  const anchors = anchorsByLine(text)
  const placed = new Set<string>()
  return tokens.flatMap(token => {
    const line = token.nesting === -1 || token.type === 'inline' ? undefined : token.map?.[0]
    const anchor = line === undefined ? undefined : anchors.get(line)
    // Of a list, its first item has the anchor, since nothing else may stand in a list.
    if (anchor === undefined || placed.has(anchor) || /^(?:bullet|ordered)_list_open$/.test(token.type)) return [token]
    placed.add(anchor)
    const element = new (token.constructor as typeof Token)('anchor', 'span', 0)
    element.content = anchor
    return token.type === 'list_item_open' ? [token, element] : [element, token]
  })
}

/** The anchors by the numbers of their lines, as the parser counts them. */
function anchorsByLine (text: string): Map<number, string> {
  const anchors = new Map<number, string>()
  let line = 0
  let counted = 0
  for (const { offset, anchor } of anchorsIn(text)) {
    const passed = text.slice(counted, offset)
    line += passed.match(/\r\n?|\n/g)?.length ?? 0
    counted = offset
    // A text can begin with blank lines.
    const blank = offset === 0 ? /^(?:[ \t]*\r?\n)*/.exec(text)![0].split('\n').length - 1 : 0
    anchors.set(line + blank, anchor)
  }
  return anchors
}
