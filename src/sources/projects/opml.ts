import { plainText } from '../formats/plain-text.js'
import { isElement, readElements, type XmlElement } from '../formats/xml.js'

/** A journal feed of an OPML file, or the reason why an outline names none. `place` counts such outlines from 1. */
export type OpmlEntry = { place: number } & ({ address: string } | { reason: string })

/** Characters of a file in which its root element must be. */
const maxRootOffset = 4096

/** Characters of an address that are kept: more than an address may have. */
const maxAddressLength = 4096

/** Detects OPML from the start of a file. */
export const isOpml = (head: string): boolean => /^\s*</.test(head) && /<opml[\s>]/i.test(head.slice(0, maxRootOffset))

/**
 * Yields the journal feeds of an OPML file, in any nesting of folders.
 * @see http://opml.org/spec2.opml
 */
export async function * readOpml (text: AsyncIterable<string>): AsyncIterable<OpmlEntry> {
  let place = 0
  for await (const item of readElements(text, outlines)) {
    if ('fault' in item) yield { place: ++place, reason: item.fault }
    else {
      for (const outline of leaves(item.element)) {
        const address = attribute(outline, 'xmlurl')
        yield address === ''
          ? { place: ++place, reason: labelReason(outline, 'The outline has no address of a feed (xmlUrl).') }
          : { place: ++place, address: address.slice(0, maxAddressLength) }
      }
    }
  }
}

const outlines: ReadonlySet<string> = new Set(['outline'])

/** The outlines that are no folders, in the order of the file. */
function * leaves (outline: XmlElement): Iterable<XmlElement> {
  const inner = outline.content.filter(isElement).filter(({ name }) => name === 'outline')
  if (inner.length === 0 || attribute(outline, 'xmlurl') !== '') yield outline
  for (const each of inner) yield * leaves(each)
}

/** Programs write the names of attributes in different cases. */
function attribute ({ attributes }: XmlElement, name: string): string {
  for (const each in attributes) if (each.length === name.length && each.toLowerCase() === name) return attributes[each]!.trim()
  return ''
}

/** Prefixes a reason with the title of the outline, if it has one. */
function labelReason (outline: XmlElement, reason: string): string {
  const title = plainText((attribute(outline, 'text') || attribute(outline, 'title')).slice(0, maxAddressLength)).slice(0, 64)
  return title === '' ? reason : `${title}: ${reason}`
}
