import { type Block, paragraph, paragraphOf, strong } from '../markdown/document.js'
import { descendants, type Element, plainTextOf } from '../dom/element.js'
import { hasClass, withoutChildren } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

const isTag = hasClass('ltx_tag')

/** A caption: "**Figure 1.** Description". */
export function captionOf (caption: Element, conversion: Conversion): Block[] {
  const label = plainTextOf(descendants(caption, isTag)[0]).replace(/[.:]$/, '')
  const content = inlineOf(withoutTag(caption), conversion)
  if (label === '') return paragraphOf(content)
  return [paragraph(strong(`${label}.`), ' ', ...content)]
}

/** The tag can be inside a span for small text. */
const withoutTag = (element: Element): Element => ({
  ...withoutChildren(element, isTag),
  children: withoutChildren(element, isTag).children.map(node => typeof node === 'string' ? node : withoutTag(node))
})
