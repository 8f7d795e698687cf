import { type Block, type Inline, isBlank, paragraph, strong } from '../markdown/document.js'
import { numberedList } from '../markdown/lists.js'
import { childElements, type Element, firstChild, isElement, plainTextOf } from '../dom/element.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

type Flow = (element: Element) => Block[]
const numbered = ['order', 'alpha-lower', 'alpha-upper', 'roman-lower', 'roman-upper']

/** @param flow converts an item's content to blocks */
export function listOf (list: Element, conversion: Conversion, flow: Flow): Block[] {
  const items = childElements(list, 'list-item').map(item => ({
    label: plainTextOf(firstChild(item, 'label')).replace(/^[•●○▪■·–—*-]$/, ''),
    blocks: [
      ...titleOf(item, conversion),
      ...flow({ ...item, children: item.children.filter(node => !isElement(node) || !['label', 'title'].includes(node.name)) })
    ]
  }))
  return [...titleOf(list, conversion), ...numberedList(items, numbered.includes(list.attributes['list-type'] ?? ''))]
}

function titleOf (element: Element, conversion: Conversion): Block[] {
  const title = inlineOf(firstChild(element, 'title'), conversion)
  return isBlank(title) ? [] : [paragraph(strong(...title))]
}

/** A glossary: "- **DOI**: digital object identifier". */
export function definitionListOf (list: Element, conversion: Conversion, flow: Flow): Block[] {
  const items = childElements(list, 'def-item').map(item => {
    const terms = childElements(item, 'term').map(term => inlineOf(term, conversion))
    const term: Inline[] = terms.flatMap((each, at) => at === 0 ? [strong(...each)] : [', ', strong(...each)])
    const [first, ...more] = childElements(item, 'def').flatMap(flow)
    if (first === undefined) return [paragraph(...term)]
    return first.kind === 'paragraph' ? [paragraph(...term, ': ', ...first.content), ...more] : [paragraph(...term, ':'), first, ...more]
  })
  const nested = childElements(list, 'def-list').flatMap(each => definitionListOf(each, conversion, flow))
  return [...titleOf(list, conversion), { kind: 'list', ordered: false, items }, ...nested]
}
