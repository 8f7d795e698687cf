import { type Block, heading, type Inline, isBlank, paragraph, strong } from '../markdown/document.js'
import { childElements, descendants, type Element, isElement, hasName, plainTextOf } from '../dom/element.js'
import { hasClass, withoutChildren } from './classes.js'
import { codeOf } from './code.js'
import type { Conversion } from './conversion.js'
import { captionOf } from './captions.js'
import { displayedOf } from './formulas.js'
import { inlineNode, inlineOf } from './inline.js'
import { definitionListOf, listOf } from './lists.js'
import { referencesOf } from './references.js'
import { tableOf } from './tables.js'

type Make = (element: Element, level: number, conversion: Conversion) => Block[]

const isNote = hasClass('ltx_note')
const isTitle = hasClass('ltx_title')
const isSection = hasClass(
  'ltx_part',
  'ltx_chapter',
  'ltx_section',
  'ltx_subsection',
  'ltx_subsubsection',
  'ltx_paragraph',
  'ltx_subparagraph',
  'ltx_appendix',
  'ltx_index',
  'ltx_acknowledgements'
)

const section: Make = (element, level, conversion) => {
  const title = inlineOf(childElements(element).find(isTitle), conversion)
  const content = flowOf(withoutChildren(element, isTitle), isBlank(title) ? level : level + 1, conversion)
  const caption = isBlank(title) && hasClass('ltx_acknowledgements')(element) ? ['Acknowledgements'] : title
  return isBlank(caption) ? content : [heading(Math.min(level, 6), ...caption), ...content]
}

/** A theorem or proof, whose name precedes its first paragraph. */
const statement: Make = (element, level, conversion) => {
  const name = plainTextOf(childElements(element).find(isTitle)).replace(/[.:]?$/, '.')
  const [first, ...more] = flowOf(withoutChildren(element, isTitle), level, conversion)
  const lead = name === '.' ? [] : [strong(name), ' ']
  if (first?.kind === 'paragraph') return [paragraph(...lead, ...first.content), ...more]
  return [...(lead.length === 0 ? [] : [paragraph(...lead)]), ...(first === undefined ? [] : [first]), ...more]
}

/** A figure, table or algorithm: its text and its caption. */
const float: Make = (element, level, conversion) => {
  const isCaption = hasName('figcaption')
  const captions = childElements(element).filter(isCaption).flatMap(each => captionOf(each, conversion))
  const inner = flowOf(withoutChildren(element, isCaption), level, conversion)
  return hasClass('ltx_figure')(element) ? [...inner, ...captions] : [...captions, ...inner]
}

/** A label in a drawing has fewer words. */
const minBoxWords = 12
const isBox = (element: Element) => element.name.toLowerCase() === 'foreignobject' && plainTextOf(element).split(' ').length >= minBoxWords
/** Whether a drawing frames text, as packages for colored boxes do. */
const hasBoxes = (element: Element) => element.name === 'svg' && descendants(element, isBox).length > 0
const boxes: Make = (drawing, level, conversion) =>
  descendants(drawing, isBox).map(box => ({ kind: 'quote', content: flowOf(box, level, conversion) }))

/** Converters by class. The first matching class counts. */
const makers: ReadonlyArray<[is: (element: Element) => boolean, make: Make]> = [
  [hasBoxes, boxes],
  [hasName('nav', 'header', 'footer', 'script', 'style', 'svg', 'button', 'img', 'picture'), () => []],
  [hasClass('ltx_pagination', 'ltx_TOC', 'ltx_dates', 'ltx_authors'), () => []],
  [hasClass('ltx_bibliography'), referencesOf],
  [isSection, section],
  [hasClass('ltx_equation', 'ltx_equationgroup', 'ltx_eqn_table'), (element, _level, conversion) => displayedOf(element, conversion)],
  [hasClass('ltx_theorem', 'ltx_proof'), statement],
  [hasClass('ltx_listing', 'ltx_verbatim'), codeOf],
  [hasClass('ltx_tabular'), (element, _level, conversion) => tableOf(element, conversion)],
  [hasName('figure'), float],
  [hasName('figcaption'), (element, _level, conversion) => captionOf(element, conversion)],
  [hasName('ul', 'ol'), (element, level, conversion) => listOf(element, item => flowOf(item, level, conversion))],
  [hasName('dl'), (element, level, conversion) => definitionListOf(element, conversion, item => flowOf(item, level, conversion))],
  [hasClass('ltx_quote'), (element, level, conversion) => [{ kind: 'quote', content: flowOf(element, level, conversion) }]],
  [hasName('blockquote'), (element, level, conversion) => [{ kind: 'quote', content: flowOf(element, level, conversion) }]],
  [hasName('pre'), codeOf]
]

const makerOf = (element: Element): Make | undefined => makers.find(([is]) => is(element))?.[1]
/** Inline elements that are omitted without a line break. */
const isDrawn = hasName('svg', 'img', 'picture', 'button', 'script', 'style')
const isBlockByName = hasName('p', 'div', 'section', 'article', 'table', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6')
/** Caches which elements are blocks, because every level asks again. */
const isBlockByElement = new WeakMap<Element, boolean>()

/** Whether an element is or contains a block. */
function isBlock (element: Element): boolean {
  const answer =
    isBlockByElement.get(element) ??
    (hasBoxes(element) ||
      (!isDrawn(element) && (isBlockByName(element) || makerOf(element) !== undefined || childElements(element).some(isBlock))))
  isBlockByElement.set(element, answer)
  return answer
}

/** @param level heading level of the sections inside */
export function blocksOf (element: Element, level: number, conversion: Conversion): Block[] {
  return (makerOf(element) ?? flowOf)(element, level, conversion)
}

/** Converts mixed content to blocks. Text between blocks becomes paragraphs. */
function flowOf (element: Element, level: number, conversion: Conversion): Block[] {
  const blocks: Block[] = []
  let text: Inline[] = []
  const end = () => {
    if (!isBlank(text)) blocks.push(paragraph(...text))
    text = []
  }
  for (const node of element.children) {
    if (isElement(node) && !isNote(node) && isBlock(node)) {
      end()
      blocks.push(...blocksOf(node, level, conversion))
    } else {
      text.push(...inlineNode(node, conversion))
    }
  }
  end()
  return blocks
}
