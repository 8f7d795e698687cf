import type { Block } from '../markdown/document.js'
import { type Element, childElements, descendants, named } from '../dom/element.js'

/** What is gathered while an article is converted. */
export interface Conversion {
  warnings: Set<string>
  /** Notes that stand in the text; they follow at the end. */
  footnotes: Block[][]
  /** Figures and tables that stand apart from the text, by identifier; they go to where the text first speaks of them. */
  floats: Map<string, Element>
}

/** Starts the conversion of an article; its floats wait for the text that refers to them. */
export function startConversion (article: Element): Conversion {
  const floats = childElements(article, 'floats-group', 'floats-wrap').flatMap(group => childElements(group))
  return { warnings: new Set(), footnotes: [], floats: new Map(floats.map((float, at) => [float.attributes.id ?? `float ${at}`, float])) }
}

/** The floats that an element speaks of for the first time; they count as placed then. */
export function takeFloats ({ floats }: Conversion, element: Element): Element[] {
  if (floats.size === 0) return []
  const wanted = descendants(element, named('xref')).flatMap(({ attributes }) => (attributes.rid ?? '').split(/\s+/))
  return wanted.flatMap(id => {
    const float = floats.get(id)
    floats.delete(id)
    return float === undefined ? [] : [float]
  })
}
