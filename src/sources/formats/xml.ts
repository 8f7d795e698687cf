import { type SaxesTagPlain, SaxesParser } from 'saxes'
import { clean } from './decode.js'
import { longestRecord } from './lines.js'
import { plainText } from './plain-text.js'

/** An element with its content in order; `name` is without namespace prefix. */
export interface XmlElement {
  name: string
  attributes: Readonly<Record<string, string>>
  content: Array<XmlElement | string>
}

/** What a reader of XML meets: a wanted element, whole, or a fault; `ended` where reading ended at it. */
export type Met = { element: XmlElement } | { fault: string, ended: boolean }

const deepest = 100
/** What an element takes beside its text: many empty ones must not fill memory either. */
const elementSize = 64
/** Longest piece between two marks of the document; the parser holds it whole. */
const longestPiece = 64 * 1024 * 1024

/** The parser's complaint without the names and text of the document, which are not ours to repeat. */
const describe = (message: string) => message.replace(/^\d+:\d+: /, '').replace(/[:"'].*$/s, '').replace(/\.$/, '')

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Yields the elements of the given names, one after the other, so that memory holds one at a time. Entities that a document type would
 * define are not expanded, so that none can explode; a fault of the document ends the reading and is told, with its line.
 *
 * @param onRoot told the name of the outermost element
 */
export async function * readElements (text: AsyncIterable<string>, wanted: ReadonlySet<string>, onRoot: (name: string) => void = () => {}): AsyncIterable<Met> {
  const parser = new SaxesParser({ xmlns: false, position: true })
  const open: XmlElement[] = []
  let met: Met[] = []
  let depth = 0
  let size = 0
  /** Elements open within a record that is too long; they are not kept. */
  let skipped = 0
  let oversized = false
  let fault: string | undefined
  let sincePiece = 0

  parser.on('error', ({ message }) => {
    // Names of entities come from a document type that is not read; textOf knows HTML's. Numbers of no character are left to it too.
    if (!/undefined entity|malformed character entity/.test(message)) fault ??= `the XML is broken: ${describe(message)} (line ${parser.line})`
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    depth++
    sincePiece = 0
    if (depth === 1) onRoot(local(name))
    if (depth > deepest) fault ??= `the XML is nested deeper than ${deepest} elements (line ${parser.line})`
    if (open.length === 0 && !wanted.has(local(name))) return
    size += elementSize
    for (const attribute in attributes) size += attribute.length + attributes[attribute]!.length
    oversized ||= size > longestRecord
    if (oversized && open.length > 0) {
      skipped++
      return
    }
    const element: XmlElement = { name: local(name), attributes, content: [] }
    open.at(-1)?.content.push(element)
    open.push(element)
  })
  const addText = (piece: string) => {
    if (open.length === 0) return
    size += piece.length
    oversized ||= size > longestRecord
    if (!oversized) open.at(-1)?.content.push(piece)
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    depth--
    sincePiece = 0
    if (skipped > 0) {
      skipped--
      return
    }
    const closed = open.pop()
    // What the parser makes of the text behind a fault is a guess.
    if (closed === undefined || open.length > 0 || fault !== undefined) return
    met.push(oversized ? { fault: 'the record is longer than 8 MB', ended: false } : { element: closed })
    size = 0
    oversized = false
  })

  for await (const part of text) {
    sincePiece += part.length
    if (sincePiece > longestPiece) fault ??= `the XML has a piece longer than 64 MB (line ${parser.line})`
    try {
      if (fault === undefined) parser.write(clean(part))
    } catch (cause) {
      fault ??= `the XML is broken: ${(cause as Error).message}`
    }
    yield * met
    met = []
    if (fault !== undefined) break
  }
  if (fault === undefined && depth === 0 && parser.position === 0) return
  if (fault === undefined) {
    try {
      parser.close()
    } catch (cause) {
      fault = `the XML is broken: ${(cause as Error).message}`
    }
    yield * met
  }
  if (fault !== undefined) yield { fault, ended: true }
}

/** Whether a child is an element rather than text. */
export const isElement = (part: XmlElement | string): part is XmlElement => typeof part !== 'string'

/** The child elements of a name. */
export const children = (element: XmlElement | undefined, name: string): XmlElement[] =>
  (element?.content ?? []).filter((part): part is XmlElement => isElement(part) && part.name === name)

/** The first element at a path of names. */
export const child = (element: XmlElement | undefined, ...path: string[]): XmlElement | undefined =>
  path.reduce<XmlElement | undefined>((at, name) => children(at, name)[0], element)

/** An element's whole text, markup gone, on one line; empty where there is no element. */
export function textOf (element: XmlElement | undefined): string {
  return element === undefined ? '' : plainText(rawText(element))
}

function rawText (element: XmlElement): string {
  return element.content.map(part => isElement(part) ? rawText(part) : part).join('')
}
