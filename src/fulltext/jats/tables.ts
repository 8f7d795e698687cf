import { type Block, type Cell, type Inline, isBlank, paragraph, strong, superscript, withoutLeadingBreaks } from '../markdown/document.js'
import { childElements, descendants, type Element, firstChild, hasName, plainTextOf, spanOf } from '../dom/element.js'
import { captionOf } from './captions.js'
import type { Conversion } from './conversion.js'
import { inlineOf } from './inline.js'

/** An XHTML table, or a group of rows of the OASIS exchange model, whose tables are groups. */
const isTable = (element: Element): boolean =>
  element.name === 'tgroup' || (element.name === 'table' && firstChild(element, 'tgroup') === undefined)

/** Elements other than tables that hold the content of a table or figure. */
export const contentElements = [
  'p', 'list', 'def-list', 'disp-formula', 'disp-formula-group', 'disp-quote', 'verse-group', 'speech', 'statement', 'boxed-text', 'code',
  'preformat', 'chem-struct-wrap', 'attrib'
]
const isContent = hasName(...contentElements)

/** A table with its label, caption and notes. @param blocksOf converts content that is no table, such as the list of a box */
export function tableWrapOf (wrap: Element, conversion: Conversion, blocksOf: (element: Element) => Block[]): Block[] {
  const caption = captionOf(wrap, conversion)
  const tableOf = (table: Element) => table.name === 'table' ? htmlTableOf(table, conversion) : calsTableOf(table, conversion)
  const content = childElements(wrap).flatMap(each => {
    if (isContent(each)) return blocksOf(each)
    const tables = isTable(each) ? [each] : descendants(each, isTable)
    return tables.length > 0 || each.name !== 'alternatives' ? tables.map(tableOf) : childElements(each).filter(isContent).flatMap(blocksOf)
  })
  const notes = childElements(wrap, 'table-wrap-foot').flatMap(foot => notesOf(foot, conversion))
  if (content.length === 0) {
    const label = plainTextOf(firstChild(wrap, 'label')).replace(/[.:]$/, '') || 'A table'
    conversion.warnings.add(`${label} is given as an image only.`)
    return [...caption, paragraph('(The table is given as an image only.)'), ...notes]
  }
  return [...caption, ...content, ...notes]
}

/**
 * The rows of an XHTML table, which JATS uses. Without `thead`, leading rows of `th` are the header. In XHTML 1.0, the footer precedes the
 * body that it stands below.
 */
export function htmlTableOf (table: Element, conversion: Conversion): Block {
  const rowsOf = (part: Element) =>
    childElements(part, 'tr').map(row => childElements(row, 'td', 'th').map(cell => cellOf(cell, conversion)))
  const head = childElements(table, 'thead').flatMap(rowsOf)
  const parts = [...childElements(table, 'tbody', 'tr'), ...childElements(table, 'tfoot')]
  const body = parts.flatMap(part => part.name === 'tr' ? rowsOf({ ...table, children: [part] }) : rowsOf(part))
  return { kind: 'table', head, body }
}

const cellOf = (cell: Element, conversion: Conversion): Cell =>
  ({ content: inlineOf(cell, conversion), columns: span(cell.attributes.colspan), rows: span(cell.attributes.rowspan) })

const span = (attribute: string | undefined): number => spanOf(attribute, 65_534)

/**
 * The rows of a table of the OASIS exchange model: an entry names its first and last column. @see
 * https://www.oasis-open.org/specs/tm9901.htm
 */
function calsTableOf (group: Element, conversion: Conversion): Block {
  const columns = childElements(group, 'colspec').map(({ attributes }, at) => attributes.colname ?? String(at + 1))
  const rowsOf = (part: Element | undefined): Cell[][] => childElements(part, 'row').map(row => childElements(row, 'entry').map(entry => {
    const { namest, nameend, morerows } = entry.attributes
    const across = namest !== undefined && nameend !== undefined ? columns.indexOf(nameend) - columns.indexOf(namest) + 1 : 1
    return { content: inlineOf(entry, conversion), columns: span(String(across)), rows: span(String(Number(morerows ?? 0) + 1)) }
  }))
  return { kind: 'table', head: rowsOf(firstChild(group, 'thead')), body: rowsOf(firstChild(group, 'tbody')) }
}

/** Notes below a table, as paragraphs that start with their mark. */
function notesOf (foot: Element, conversion: Conversion): Block[] {
  return childElements(foot).flatMap((each): Block[] => {
    if (each.name === 'fn-group') return notesOf(each, conversion)
    const label = firstChild(each, 'label')
    const content = inlineOf(label === undefined ? each : { ...each, children: each.children.filter(node => node !== label) }, conversion)
    const mark: Inline[] = label === undefined ? [] : [superscript(...inlineOf(label, conversion)), ' ']
    if (each.name === 'title') return [paragraph(strong(...content))]
    return isBlank(content) ? [] : [paragraph(...mark, ...withoutLeadingBreaks(content))]
  })
}
