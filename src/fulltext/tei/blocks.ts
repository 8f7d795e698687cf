import { type Block, type Cell, heading, type Inline, isBlank, paragraph, paragraphOf, strong } from '../markdown/document.js'
import { numberedList } from '../markdown/lists.js'
import { childElements, type Element, firstChild, isElement, hasName, plainTextOf, spanOf } from '../dom/element.js'
import { inlineNode, inlineOf } from './inline.js'

const isBlock = hasName('div', 'head', 'p', 'list', 'figure', 'formula', 'table', 'note', 'quote', 'listBibl')

/** Converts mixed content to blocks. Text between blocks becomes paragraphs. @param level level of a heading without a number */
export function blocksOf (element: Element | undefined, level = 2): Block[] {
  const blocks: Block[] = []
  let text: Inline[] = []
  const end = () => {
    if (!isBlank(text)) blocks.push(paragraph(...text))
    text = []
  }
  for (const node of element?.children ?? []) {
    if (isElement(node) && isBlock(node)) {
      end()
      blocks.push(...blockOf(node, level))
    } else {
      text.push(...inlineNode(node))
    }
  }
  end()
  return blocks
}

/** The blocks of an element of a TEI body. */
export function blockOf (element: Element, level = 2): Block[] {
  switch (element.name) {
    case 'head':
      return headingOf(element, level)
    case 'list':
      return numberedList(
        childElements(element, 'item').map(item => ({
          label: item.attributes.n ?? plainTextOf(firstChild(item, 'label')),
          blocks: blocksOf(withoutLabel(item), level)
        })),
        element.attributes.rend === 'numbered'
      )
    case 'figure':
      return figureOf(element)
    case 'table':
      return tableOf(element)
    // GROBID locates formulas but has only their printed characters.
    case 'formula': return paragraphOf(inlineOf(element))
    case 'quote': return [{ kind: 'quote', content: blocksOf(element, level) }]
    case 'listBibl': return []
    default: return blocksOf(element, level)
  }
}

const withoutLabel = (element: Element): Element => ({
  ...element,
  children: element.children.filter(node => !isElement(node) || node.name !== 'label')
})

/** GROBID does not nest sections, so the depth of a heading follows from its number, "2.1.3". */
function headingOf (head: Element, level: number): Block[] {
  const content = inlineOf(head)
  if (isBlank(content)) return []
  const number = (head.attributes.n ?? '').replace(/\.$/, '')
  const depth = /^\d+(?:\.\d+)*$/.test(number) ? level + number.split('.').length - 1 : level
  return [heading(Math.min(Math.max(depth, 2), 6), ...(number === '' ? [] : [`${number}. `]), ...content)]
}

/** A figure's or table's caption, and the table's rows. */
function figureOf (figure: Element): Block[] {
  const head = plainTextOf(firstChild(figure, 'head'))
  const description = inlineOf(firstChild(figure, 'figDesc'))
  const caption = [...(head === '' ? [] : [strong(head.replace(/\s*[.:]?$/, '.')), ' ']), ...description]
  return [...paragraphOf(caption), ...childElements(figure, 'table').flatMap(tableOf)]
}

function tableOf (table: Element): Block[] {
  const rows = childElements(table, 'row').map(row => ({
    heads: row.attributes.role === 'label',
    cells: childElements(row, 'cell').map((cell): Cell => ({
      content: inlineOf(cell),
      columns: spanOf(cell.attributes.cols),
      rows: spanOf(cell.attributes.rows)
    }))
  }))
  const filled = rows.filter(({ cells }) => cells.some(({ content }) => !isBlank(content)))
  if (filled.length === 0) return []
  const heads = Math.max(1, filled.findIndex(({ heads }) => !heads))
  return [{ kind: 'table', head: filled.slice(0, heads).map(({ cells }) => cells), body: filled.slice(heads).map(({ cells }) => cells) }]
}
