import { decodeHTMLStrict } from 'entities'
import { SaxesParser } from 'saxes'
import { localName } from '../../input/local-name.js'
import { NotConvertible } from '../converter-result.js'
import { boundDepth, boundText } from './bounds.js'
import { appendText, type Element } from './element.js'

/** Characters by their HTML entity names. An unknown entity becomes the replacement character. */
const characters = new Proxy<Record<string, string>>({}, {
  get (_target, name: string) {
    const entity = `&${name};`
    const character = decodeHTMLStrict(entity)
    if (character !== entity) return character
    return /^[\p{L}_:][\p{L}\p{N}_:.-]*$/u.test(name) ? '\uFFFD' : undefined
  }
})

/**
 * Parses XML. Skips the document type: nothing is fetched, and its entities are not expanded. HTML entities are decoded, because older
 * articles use them.
 *
 * @throws NotConvertible damaged, too_large
 */
export function readXml (text: string): Element {
  boundText(text)
  const parser = new SaxesParser({ xmlns: false, position: true })
  const document: Element = { name: '#document', attributes: {}, children: [] }
  const open = [document]
  parser.ENTITIES = characters
  parser.on('error', cause => {
    // The parser's message quotes the document.
    throw new NotConvertible('damaged', `The XML is malformed (line ${parser.line}).`, { cause })
  })
  parser.on('opentag', ({ name, attributes }) => {
    boundDepth(open.length)
    const element: Element = { name: localName(name), attributes, children: [] }
    open.at(-1)!.children.push(element)
    open.push(element)
  })
  parser.on('closetag', () => { open.pop() })
  const addText = (piece: string) => {
    if (open.length > 1) appendText(open.at(-1)!, piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.write(text).close()
  const [root] = document.children as Element[]
  if (root === undefined) throw new NotConvertible('damaged', 'The document is empty.')
  return root
}
