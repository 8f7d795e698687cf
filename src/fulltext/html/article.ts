import { type Block, heading, isBlank, paragraph, strong } from '../markdown/document.js'
import { childElements, descendants, type Element } from '../dom/element.js'
import { blocksOf } from './blocks.js'
import { hasClass, withoutChildren } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

const isAbstract = hasClass('ltx_abstract')
const isTitle = hasClass('ltx_title_document')
const isKeywords = hasClass('ltx_keywords')
/** Authors, dates and navigation: the paper's record has these data. */
const isAbout = hasClass(
  'ltx_authors',
  'ltx_dates',
  'ltx_classification',
  'ltx_TOC',
  'ltx_pagination',
  'ltx_page_navbar',
  'ltx_page_footer',
  'ltx_subtitle'
)

/** The paper's blocks: title, abstract, keywords, sections with references among them, footnotes. */
export function articleOf (article: Element): { blocks: Block[], warnings: string[] } {
  const conversion: Conversion = { warnings: new Set(), footnotes: [] }
  const first = (test: (element: Element) => boolean) => descendants(article, test)[0]
  // Notes of the title are acknowledgements and affiliations.
  const title = inlineOf(without(first(isTitle), hasClass('ltx_note')), conversion)
  const abstract = childrenBlocks(first(isAbstract), conversion)
  const keywords = inlineOf(without(first(isKeywords), hasClass('ltx_title')), conversion)
  const isFront = (element: Element) => isAbstract(element) || isTitle(element) || isKeywords(element) || isAbout(element)
  const body = childElements(article).filter(each => !isFront(each)).flatMap(each => blocksOf(each, 2, conversion))
  const blocks = [
    ...(isBlank(title) ? [] : [heading(1, ...title)]),
    ...(abstract.length === 0 ? [] : [heading(2, 'Abstract'), ...abstract]),
    ...(isBlank(keywords) ? [] : [paragraph(strong('Keywords:'), ' ', ...keywords)]),
    ...body,
    ...(conversion.footnotes.length === 0 ? [] : [heading(2, 'Footnotes'), ...conversion.footnotes])
  ]
  return { blocks, warnings: [...conversion.warnings] }
}

const without = (element: Element | undefined, test: (element: Element) => boolean) =>
  element === undefined ? undefined : withoutChildren(element, test)

const childrenBlocks = (element: Element | undefined, conversion: Conversion): Block[] =>
  childElements(element).filter(each => !hasClass('ltx_title')(each)).flatMap(each => blocksOf(each, 3, conversion))
