import type { Block } from '../markdown/document.js'
import { type Element, childElements, descendants, hasName } from '../dom/element.js'

/** State of a conversion. */
export interface Conversion {
  warnings: Set<string>
  /** Footnotes, which are written at the end. */
  footnotes: Block[][]
  /** Floating figures and tables by identifier. Each is placed after its first mention. */
  floats: Map<string, Element>
}

/** Starts the conversion of an article and collects its floats. */
export function startConversion (article: Element): Conversion {
  const floats = childElements(article, 'floats-group', 'floats-wrap').flatMap(group => childElements(group))
  return { warnings: new Set(), footnotes: [], floats: new Map(floats.map((float, at) => [float.attributes.id ?? `float ${at}`, float])) }
}

/** Takes the floats that an element mentions first. */
export function takeFloats ({ floats }: Conversion, element: Element): Element[] {
  if (floats.size === 0) return []
  const ids = descendants(element, hasName('xref')).flatMap(({ attributes }) => (attributes.rid ?? '').split(/\s+/))
  return ids.flatMap(id => {
    const float = floats.get(id)
    floats.delete(id)
    return float === undefined ? [] : [float]
  })
}
