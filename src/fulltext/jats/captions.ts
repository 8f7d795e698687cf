import { type Block, type Inline, isBlank, paragraph, strong, textOf } from '../markdown/document.js'
import { childElements, type Element, firstChild, isElement } from '../dom/element.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

/** The label and caption of a figure or table: "**Figure 1.** **Title.** Description". */
export function captionOf (element: Element, conversion: Conversion): Block[] {
  const label = inlineOf(firstChild(element, 'label'), conversion)
  const caption = firstChild(element, 'caption')
  const title = inlineOf(firstChild(caption, 'title'), conversion)
  const [first = [], ...more] = childElements(caption, 'p').map(each => inlineOf(each, conversion)).filter(each => !isBlank(each))
  const own = (caption?.children ?? []).filter(node => !isElement(node)).join('').trim()
  const opening: Inline[] = [label, title].filter(each => !isBlank(each)).flatMap(each => [strong(...pointed(each)), ' '])
  const text = [...opening, ...(first.length === 0 ? [own] : first)]
  return [...(isBlank(text) ? [] : [paragraph(...text)]), ...more.map(each => paragraph(...each))]
}

/** Adds a full stop if there is no final punctuation. */
function pointed (content: Inline[]): Inline[] {
  return /[.:?!]\s*$/.test(textOf(content).slice(-10)) ? content : [...content, '.']
}
