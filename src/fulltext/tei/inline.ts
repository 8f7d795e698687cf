import { type Inline, lineBreak } from '../markdown/document.js'
import { link } from '../markdown/link.js'
import { type Element, isElement } from '../dom/element.js'

/** Styles of `hi`. */
const marks: Record<string, 'strong' | 'emphasis' | 'subscript' | 'superscript'> = {
  bold: 'strong',
  italic: 'emphasis',
  subscript: 'subscript',
  superscript: 'superscript'
}

/** The inline content of an element's children. */
export const inlineOf = (element: Element | undefined): Inline[] => (element?.children ?? []).flatMap(inlineNode)

/** The inline content of one node. */
export function inlineNode (node: Element | string): Inline[] {
  if (!isElement(node)) return [node]
  const content = inlineOf(node)
  switch (node.name) {
    case 'lb': return [lineBreak]
    case 'graphic': return []
    // The number of a formula follows it without a space.
    case 'label': return [' ', ...content]
    // Sentences, if GROBID was asked to segment them.
    case 's': return [...content, ' ']
    case 'hi': {
      const kind = marks[node.attributes.rend ?? '']
      return kind === undefined ? content : [{ kind, content }]
    }
    case 'ref':
    case 'ptr':
      return /^https?:/.test(node.attributes.target ?? '')
        ? link(node.attributes.target, content.length === 0 ? [node.attributes.target!] : content)
        : content
    default:
      return content
  }
}
