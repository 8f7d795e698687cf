import { parseXml, XmlElement, type XmlNode, XmlText } from '@rgrove/parse-xml'
import { decodeHTMLStrict } from 'entities'
import { NotConvertible } from '../converted.js'
import { boundDepth, boundText } from './bounds.js'
import type { Element } from './element.js'

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML into a tree. A document type is passed over: nothing is fetched and none of its entities is expanded; names of characters that
 * HTML knows are read, since older articles have them.
 *
 * @throws NotConvertible damaged, too_large
 */
export function readXml (text: string): Element {
  boundText(text)
  try {
    const { root } = parseXml(text, { resolveUndefinedEntity: characterOf })
    if (root === null) throw new NotConvertible('damaged', 'The document is empty.')
    return treeOf(root)
  } catch (cause) {
    if (cause instanceof NotConvertible) throw cause
    // The parser recurses once for each level.
    if (cause instanceof RangeError) boundDepth(Infinity, cause)
    throw new NotConvertible('damaged', `The XML is broken: ${firstLine(cause)}.`, { cause })
  }
}

function characterOf (entity: string): string {
  const character = decodeHTMLStrict(entity)
  return character === entity ? '\uFFFD' : character
}

const firstLine = (cause: unknown): string => (cause as Error).message.split('\n', 1)[0]!.replace(/[.:]$/, '')

function treeOf (root: XmlElement): Element {
  const top: Element = { name: local(root.name), attributes: root.attributes, children: [] }
  const waiting: Array<{ from: XmlElement, to: Element, depth: number }> = [{ from: root, to: top, depth: 1 }]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { from, to, depth } = next
    boundDepth(depth)
    for (const node of from.children as XmlNode[]) {
      if (node instanceof XmlText) to.children.push(node.text)
      if (!(node instanceof XmlElement)) continue
      const element: Element = { name: local(node.name), attributes: node.attributes, children: [] }
      to.children.push(element)
      waiting.push({ from: node, to: element, depth: depth + 1 })
    }
  }
  return top
}
