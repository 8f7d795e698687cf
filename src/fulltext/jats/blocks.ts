import { type Block, emphasis, heading, type Inline, isBlank, lineBreak, paragraph, paragraphOf, strong } from '../markdown/document.js'
import { displayFormula } from '../markdown/latex.js'
import { link } from '../markdown/link.js'
import { childElements, type Element, firstChild, hasOwnText, isElement, hasName, plainTextOf, textContent } from '../dom/element.js'
import { captionOf } from './captions.js'
import { type Conversion, takeFloats } from './conversion.js'
import { formulaOf } from './formulas.js'
import { inlineNode, inlineOf, withMarkedCitations } from './inline.js'
import { definitionListOf, listOf } from './lists.js'
import { contentElements, htmlTableOf, tableWrapOf } from './tables.js'

/** Elements that are blocks, also inside a paragraph. */
const isBlock = hasName(
  'p',
  'sec',
  'list',
  'def-list',
  'disp-formula',
  'disp-formula-group',
  'table-wrap',
  'table-wrap-group',
  'table',
  'array',
  'fig',
  'fig-group',
  'boxed-text',
  'disp-quote',
  'verse-group',
  'speech',
  'statement',
  'code',
  'preformat',
  'supplementary-material',
  'media',
  'chem-struct-wrap',
  'fn-group',
  'glossary',
  'ref-list',
  'block-alternatives',
  'question-wrap',
  'question',
  'option',
  'answer',
  'explanation'
)
/** Metadata of a section. */
const isAboutSection = hasName('title', 'label', 'sec-meta', 'permissions', 'object-id', 'processing-meta')

/**
 * A section with its heading and subsections. Floating figures and tables follow their first mention.
 *
 * @param level level of its heading
 */
export function sectionOf (section: Element, level: number, conversion: Conversion, otherwise = ''): Block[] {
  return [...headingOf(section, level, conversion, otherwise), ...sectionContent(section, level + 1, conversion)]
}

/** @param level heading level of the sections inside */
export function sectionContent (section: Element, level: number, conversion: Conversion): Block[] {
  return childElements(section).filter(each => !isAboutSection(each)).flatMap(each => {
    if (hasName('sec', 'app', 'notes', 'ack')(each)) return sectionOf(each, level, conversion)
    const blocks = blockOf(each, level, conversion)
    return [...blocks, ...takeFloats(conversion, each).flatMap(float => blockOf(float, level, conversion))]
  })
}

/** The heading of a section: its label and title, or `otherwise` without a title. */
export function headingOf (section: Element, level: number, conversion: Conversion, otherwise = ''): Block[] {
  const title = inlineOf(firstChild(section, 'title'), conversion)
  const label = plainTextOf(firstChild(section, 'label'))
  const text = isBlank(title) ? [otherwise] : title
  const content = label === '' ? text : isBlank(text) ? [label] : [`${label} `, ...text]
  return isBlank(content) ? [] : [heading(Math.min(level, 6), ...content)]
}

/** Converts mixed content to blocks. Text between blocks becomes paragraphs. */
export function flowOf (element: Element, level: number, conversion: Conversion, lead: Inline[] = []): Block[] {
  const blocks: Block[] = []
  let text: Inline[] = lead
  const end = () => {
    if (!isBlank(text)) blocks.push(paragraph(...text))
    text = []
  }
  for (const node of withMarkedCitations(element)) {
    if (isElement(node) && isBlock(node) && !isWithinText(node, element)) {
      end()
      blocks.push(...blockOf(node, level, conversion))
    } else {
      text.push(...inlineNode(node, conversion))
    }
  }
  end()
  return blocks
}

/** Inline code. */
const isWithinText = (node: Element, around: Element): boolean =>
  node.name === 'code' && hasOwnText(around) && !textContent(node).includes('\n')

/** @param level heading level of sections inside */
export function blockOf (element: Element, level: number, conversion: Conversion): Block[] {
  const content = (parent: Element = element) => flowOf(parent, level, conversion)
  switch (element.name) {
    case 'p': return content()
    // The reference lists are written together at the end.
    case 'ref-list':
      return []
    case 'sec':
      return sectionOf(element, level, conversion)
    case 'list':
      return listOf(element, conversion, content)
    case 'def-list':
      return definitionListOf(element, conversion, content)
    case 'glossary':
      return [...headingOf(element, level, conversion, 'Abbreviations'), ...sectionContent(element, level + 1, conversion)]
    case 'table-wrap':
      return tableWrapOf(element, conversion, each => blockOf(each, level, conversion))
    case 'table':
    case 'array':
      return [htmlTableOf(element.name === 'array' ? (firstChild(element, 'table') ?? element) : element, conversion)]
    case 'fig':
      return [
        ...captionOf(element, conversion),
        ...partsOf(element, ['fig', 'table-wrap', 'table', 'media', ...contentElements], level, conversion)
      ]
    case 'fig-group':
    case 'table-wrap-group':
      return [...captionOf(element, conversion), ...partsOf(element, ['fig', 'table-wrap', 'media', ...contentElements], level, conversion)]
    case 'supplementary-material':
    case 'media':
    case 'chem-struct-wrap':
      return materialOf(element, level, conversion)
    case 'boxed-text':
      return [{ kind: 'quote', content: boxOf(element, level, conversion) }]
    case 'disp-quote':
    case 'verse-group':
      return [{ kind: 'quote', content: quotedOf(element, level, conversion) }]
    case 'speech':
      return flowOf(withoutChildren(element, 'speaker'), level, conversion).map((block, at) =>
        at === 0 && block.kind === 'paragraph'
          ? paragraph(strong(...inlineOf(firstChild(element, 'speaker'), conversion)), ' ', ...block.content)
          : block
      )
    case 'statement':
      return statementOf(element, level, conversion)
    case 'code':
    case 'preformat':
      return [{ kind: 'code', text: textContent(element) }]
    case 'disp-formula':
      return displayOf(element, level, conversion)
    case 'disp-formula-group':
      return content()
    case 'alternatives':
    case 'block-alternatives':
      return childElements(element)
        .slice(0, 1)
        .flatMap(each => blockOf(each, level, conversion))
    case 'fn-group':
      return [...headingOf(element, level, conversion), ...childElements(element, 'fn').flatMap(note => noteOf(note, level, conversion))]
    case 'fn':
      return noteOf(element, level, conversion)
    case 'attrib':
      return paragraphOf(['— ', ...inlineOf(element, conversion)])
    default:
      return isBlock(element) || childElements(element).some(isBlock) ? content() : paragraphOf(inlineNode(element, conversion))
  }
}

const withoutChildren = (element: Element, ...names: string[]): Element => ({
  ...element,
  children: element.children.filter(node => !isElement(node) || !names.includes(node.name))
})

const partsOf = (element: Element, names: string[], level: number, conversion: Conversion): Block[] =>
  childElements(element, ...names).flatMap(each => blockOf(each, level, conversion))

/** A box. Its headings are not part of the article's outline. */
function boxOf (box: Element, level: number, conversion: Conversion): Block[] {
  const caption = firstChild(box, 'caption') === undefined ? headingOf(box, 6, conversion) : captionOf(box, conversion)
  return [...caption, ...sectionContent(withoutChildren(box, 'caption'), level, conversion)]
    .map(block => block.kind === 'heading' ? paragraph(strong(...block.content)) : block)
}

function quotedOf (element: Element, level: number, conversion: Conversion): Block[] {
  const title = firstChild(element, 'title')
  const opening = title === undefined ? [] : [paragraph(strong(...inlineOf(title, conversion)))]
  if (element.name === 'disp-quote') {
    return [...opening, ...childElements(withoutChildren(element, 'title', 'label')).flatMap(each => blockOf(each, level, conversion))]
  }
  const verse = childElements(element, 'verse-line').flatMap((line, at) =>
    at === 0 ? inlineOf(line, conversion) : [lineBreak, ...inlineOf(line, conversion)]
  )
  return [
    ...opening,
    ...paragraphOf(verse),
    ...partsOf(element, ['verse-group'], level, conversion).flatMap(block => block.kind === 'quote' ? block.content : [block]),
    ...partsOf(element, ['attrib'], level, conversion)
  ]
}

/** A theorem, proof or definition, whose name precedes its first paragraph. */
function statementOf (element: Element, level: number, conversion: Conversion): Block[] {
  const name = childElements(element, 'label', 'title').map(each => plainTextOf(each)).filter(each => each !== '').join(' ')
  const [first, ...more] = sectionContent(element, level, conversion)
  if (name === '') return first === undefined ? [] : [first, ...more]
  const lead = [strong(name.replace(/[.:]?$/, '.')), ' ']
  return first?.kind === 'paragraph'
    ? [paragraph(...lead, ...first.content), ...more]
    : [paragraph(...lead), ...(first === undefined ? [] : [first]), ...more]
}

function displayOf (element: Element, level: number, conversion: Conversion): Block[] {
  const { latex, text } = formulaOf(element)
  const label = plainTextOf(firstChild(element, 'label'))
  if (latex !== '') return [displayFormula(latex, label)]
  if (text !== '' && text !== label) {
    return flowOf(withoutChildren(element, 'label', 'graphic'), level, conversion, label === '' ? [] : [`${label} `])
  }
  conversion.warnings.add('A formula is given as an image only.')
  return [paragraph(`${label} (The formula is given as an image only.)`)]
}

/** Supplementary files: description, and a link if they have a web address. */
function materialOf (element: Element, level: number, conversion: Conversion): Block[] {
  const caption = captionOf(element, conversion)
  const file = element.attributes['xlink:href'] ?? firstChild(element, 'media')?.attributes['xlink:href']
  const address = /^(?:https?:|10\.)/.test(file ?? '') ? paragraphOf(link(file, ['File'])) : []
  return [
    ...caption,
    ...(caption.length > 0 ? [] : childElements(element, 'media').flatMap(each => captionOf(each, conversion))),
    ...partsOf(element, ['table-wrap', 'fig', 'table', ...contentElements], level, conversion),
    ...address
  ]
}

function noteOf (note: Element, level: number, conversion: Conversion): Block[] {
  const label = plainTextOf(firstChild(note, 'label'))
  const blocks = childElements(withoutChildren(note, 'label')).flatMap(each =>
    each.name === 'title' ? [paragraph(emphasis(...inlineOf(each, conversion)))] : blockOf(each, level, conversion)
  )
  const [first, ...more] = blocks
  if (label === '' || first?.kind !== 'paragraph') return blocks
  return [paragraph(`${label} `, ...first.content), ...more]
}
