import { type SaxesTagPlain, SaxesParser } from 'saxes'
import { messageOf } from '../../../schemas/thrown.js'
import { localName } from '../../input/local-name.js'
import { removeControls } from './decode.js'
import { maxRecordCharacters } from './lines.js'
import { plainText, raisedAfter } from './plain-text.js'

/** An element with its content in order; `name` has no namespace prefix. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  content: Array<XmlElement | string>
}

/** A complete element and its line, or a fault. `ended`: reading stopped at the fault. */
export type XmlItem = { element: XmlElement, line: number } | { fault: string, ended: boolean }

const maxNestingDepth = 100
/** Overhead of an element in the size limit, so that many empty elements count too. */
const elementSize = 64
/** Maximum length of text between two tags, which the parser buffers. */
const maxPieceCharacters = 64 * 1024 * 1024

/** The parser's message without names and text of the document, which are untrusted. */
const describe = (message: string) => message.replace(/^\d+:\d+: /, '').replace(/[:"'].*$/s, '').replace(/\.$/, '')

/**
 * Yields the elements with these names, one at a time to bound memory. Ignores entity definitions, which prevents entity expansion
 * attacks. A syntax error ends the document and is yielded with its line.
 *
 * @param onRoot called with the name of the root element
 */
export async function * readElements (
  text: AsyncIterable<string>,
  names: ReadonlySet<string>,
  onRoot: (name: string) => void = () => {}
): AsyncIterable<XmlItem> {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const open: XmlElement[] = []
  let items: XmlItem[] = []
  let depth = 0
  let size = 0
  let line = 1
  /** Number of open elements in a record that is too long and skipped. */
  let skipped = 0
  let oversized = false
  let fault: string | undefined
  let charactersSinceTag = 0

  parser.on('error', ({ message }) => {
    // Document types are not read. `textOf` decodes HTML's entities and invalid character numbers.
    if (!/undefined entity|malformed character entity/.test(message)) {
      fault ??= `the XML is broken: ${describe(message)} (line ${parser.line})`
    }
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth++
    charactersSinceTag = 0
    if (depth === 1) onRoot(localName(name))
    if (depth > maxNestingDepth) fault ??= `the XML is nested deeper than ${maxNestingDepth} elements (line ${parser.line})`
    if (open.length === 0 && !names.has(localName(name))) return
    if (open.length === 0) line = parser.line
    size += elementSize
    for (const attribute in attributes) size += attribute.length + attributes[attribute]!.length
    oversized ||= size > maxRecordCharacters
    if (oversized && open.length > 0) {
      skipped++
      return
    }
    const element: XmlElement = { name: localName(name), attributes, content: [] }
    open.at(-1)?.content.push(element)
    open.push(element)
  })
  const addText = (piece: string) => {
    if (open.length === 0) return
    size += piece.length
    oversized ||= size > maxRecordCharacters
    if (!oversized) open.at(-1)?.content.push(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth--
    charactersSinceTag = 0
    if (skipped > 0) {
      skipped--
      return
    }
    const closed = open.pop()
    // After an error, the parser's events are unreliable.
    if (closed === undefined || open.length > 0 || fault !== undefined) return
    items.push(oversized ? { fault: `the record is longer than 8 MB (line ${line})`, ended: false } : { element: closed, line })
    size = 0
    oversized = false
  })

  for await (const part of text) {
    charactersSinceTag += part.length
    if (charactersSinceTag > maxPieceCharacters) fault ??= `the XML has a piece longer than 64 MB (line ${parser.line})`
    try {
      if (fault === undefined) parser.write(removeControls(part))
    } catch (cause) {
      fault ??= `the XML is broken: ${messageOf(cause)}`
    }
    yield * items
    items = []
    if (fault !== undefined) break
  }
  if (fault === undefined && depth === 0 && parser.position === 0) return
  if (fault === undefined) {
    try {
      parser.close()
    } catch (cause) {
      fault = `the XML is broken: ${messageOf(cause)}`
    }
    yield * items
  }
  if (fault !== undefined) yield { fault, ended: true }
}

/** Whether a child is an element rather than text. */
export const isElement = (part: XmlElement | string): part is XmlElement => typeof part !== 'string'

/** Child elements with a name. */
export const children = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (element?.content ?? []).filter((part): part is XmlElement => isElement(part) && part.name === name)

/** The first element at a path of element names. */
export const child = (element: XmlElement | undefined, ...path: string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => children(at, name)[0], element)

/** The text of an element on one line; empty without an element. */
export function textOf (element: XmlElement | undefined): string {
  return element === undefined ? '' : plainText(rawText(element))
}

function rawText (element: XmlElement): string {
  let text = ''
  // The end of a long text that grows is not looked at: that would copy it each time.
  let last = ''
  for (const part of element.content) {
    const content = isElement(part) ? rawText(part) : part
    const piece = isElement(part) && part.name === 'sup' ? raisedAfter(last, content) : content
    text += piece
    if (piece !== '') last = piece
  }
  return text
}
