import { Parser } from 'htmlparser2'
import { boundDepth, boundText } from './bounds.js'
import type { Element } from './element.js'

/** Reads HTML into a tree under an element named "#document"; nothing is too broken for it. @throws NotConvertible damaged, too_large */
export function readHtml (text: string): Element {
  boundText(text)
  const top: Element = { name: '#document', attributes: {}, children: [] }
  const open = [top]
  const parser = new Parser({
    onopentag (name, attributes) {
      // Told while reading: closing tags are looked for among the open ones, so that a deep document would take long.
      boundDepth(open.length)
      const element: Element = { name, attributes, children: [] }
      open.at(-1)!.children.push(element)
      open.push(element)
    },
    ontext (piece) {
      const { children } = open.at(-1)!
      if (typeof children.at(-1) === 'string') children[children.length - 1] += piece
      else children.push(piece)
    },
    onclosetag () {
      open.pop()
    }
  }, { decodeEntities: true })
  parser.end(text)
  return top
}
