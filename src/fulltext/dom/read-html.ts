import { Parser } from 'htmlparser2'
import { boundDepth, boundText } from './bounds.js'
import { appendText, type Element } from './element.js'

/** Reads HTML into a tree under an element named "#document"; every text is valid HTML. @throws NotConvertible damaged, too_large */
export function readHtml (text: string): Element {
  boundText(text)
  const top: Element = { name: '#document', attributes: {}, children: [] }
  const open = [top]
  const parser = new Parser({
    onopentag (name, attributes) {
      // Checked during parsing, because each closing tag searches the open elements, which is slow in deep documents.
      boundDepth(open.length)
      const element: Element = { name, attributes, children: [] }
      open.at(-1)!.children.push(element)
      open.push(element)
    },
    ontext (piece) {
      appendText(open.at(-1)!, piece)
    },
    onclosetag () {
      open.pop()
    }
  }, { decodeEntities: true })
  parser.end(text)
  return top
}
