import { type Block, isBlank, paragraph, strong } from '../markdown/document.js'
import { numberedList } from '../markdown/lists.js'
import { childElements, type Element, plainTextOf } from '../dom/element.js'
import { hasClass, withoutChildren } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

type Flow = (element: Element) => Block[]
const isTag = hasClass('ltx_tag')

/** @param flow converts an item's content to blocks */
export function listOf (list: Element, flow: Flow): Block[] {
  const items = childElements(list, 'li').map(item => ({
    label: plainTextOf(childElements(item).find(isTag)).replace(/^[•●○▪■·∘∙⋆*–—-]$/, ''),
    blocks: flow(withoutChildren(item, isTag))
  }))
  return numberedList(items, list.name === 'ol')
}

/** "- **Term**: what it means". */
export function definitionListOf (list: Element, conversion: Conversion, flow: Flow): Block[] {
  const items: Block[][] = []
  for (const each of childElements(list, 'dt', 'dd')) {
    if (each.name === 'dt') {
      const term = inlineOf(each, conversion)
      items.push(isBlank(term) ? [] : [paragraph(strong(...term))])
      continue
    }
    const blocks = flow(each)
    const item = items.at(-1)
    const [first, ...more] = blocks
    const term = item?.[0]
    if (item?.length === 1 && term?.kind === 'paragraph' && first?.kind === 'paragraph') {
      item.splice(0, 1, paragraph(...term.content, ' ', ...first.content), ...more)
    } else if (item === undefined) items.push(blocks)
    else item.push(...blocks)
  }
  const filled = items.filter(item => item.length > 0)
  return filled.length === 0 ? [] : [{ kind: 'list', ordered: false, items: filled }]
}
