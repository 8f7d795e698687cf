import { type Inline, isBlank, lineBreak, paragraph, superscript, withoutLeadingBreaks } from '../markdown/document.js'
import { bareLatex, inlineFormula } from '../markdown/latex.js'
import { link } from '../markdown/link.js'
import { latexOfMathml } from '../markdown/mathml.js'
import { descendants, type Element, isElement, plainTextOf, textContent } from '../dom/element.js'
import { hasClass, isCell, withoutChildren } from './classes.js'
import type { Conversion } from './conversion.js'

const isNote = hasClass('ltx_note')
const isFailure = hasClass('ltx_ERROR')
const isBold = hasClass('ltx_font_bold')
const isItalic = hasClass('ltx_font_italic', 'ltx_emph')
const isTypewriter = hasClass('ltx_font_typewriter')
/** Blocks that start a new line where only inline content is possible, such as in a cell. */
const isLine = hasClass('ltx_p', 'ltx_tr', 'ltx_item', 'ltx_caption', 'ltx_listingline')
/** Graphics, scripts and controls. */
const omittedElements = new Set(['script', 'style', 'svg', 'button', 'nav', 'img', 'picture', 'object', 'template', 'hr'])

/** The inline content of an element's children. */
export const inlineOf = (element: Element | undefined, conversion: Conversion): Inline[] =>
  (element?.children ?? []).flatMap(node => inlineNode(node, conversion))

/** The inline content of one node; footnotes and warnings go to the conversion. */
export function inlineNode (node: Element | string, conversion: Conversion): Inline[] {
  if (!isElement(node)) return [node]
  if (omittedElements.has(node.name)) return []
  if (node.name === 'math') return inlineFormula(latexOf(node))
  if (node.name === 'br') return [lineBreak]
  if (isNote(node)) return noteOf(node, conversion)
  if (isFailure(node)) {
    conversion.warnings.add(`arXiv could not convert the command ${plainTextOf(node).slice(0, 60)}.`)
    return []
  }
  const content = inlineOf(node, conversion)
  if (node.name === 'a') {
    return /^(?:https?:|mailto:)/i.test(node.attributes.href ?? '') && !isWithinArxiv(node) ? link(node.attributes.href, content) : content
  }
  if (isCell(node)) return [...content, ' ']
  return isLine(node) ? [lineBreak, ...content, lineBreak] : marked(node, content)
}

/** LaTeXML keeps a formula's TeX in `alttext`, with `\displaystyle` before each part of an aligned formula. */
export function latexOf (math: Element): string {
  const { alttext } = math.attributes
  return (alttext === undefined ? latexOfMathml(math) : bareLatex(alttext)).replace(/\\displaystyle(?![a-z])\s*/gi, '').trim()
}

/** Some pages have absolute links to their own sections and references. */
const isWithinArxiv = ({ attributes: { href = '' } }: Element): boolean => /^https?:\/\/(?:www\.)?arxiv\.org\/html\/[^#]*#/i.test(href)

function marked (node: Element, content: Inline[]): Inline[] {
  if (isBlank(content)) return content
  if (node.name === 'sup') return [{ kind: 'superscript', content }]
  if (node.name === 'sub') return [{ kind: 'subscript', content }]
  if (node.name === 'code' || (isTypewriter(node) && content.every(each => typeof each === 'string'))) {
    return [{ kind: 'code', text: textContent(node) }]
  }
  const emphasized: Inline[] = node.name === 'em' || node.name === 'i' || isItalic(node) ? [{ kind: 'emphasis', content }] : content
  return node.name === 'strong' || node.name === 'b' || isBold(node) ? [{ kind: 'strong', content: emphasized }] : emphasized
}

const isFootnote = hasClass('ltx_role_footnote', 'ltx_role_endnote')
/** TeX can set the mark of a footnote, as in a table, apart from its text. */
const isMarkAlone = hasClass('ltx_role_footnotemark')
const isTextAlone = hasClass('ltx_role_footnotetext')
/** A note's text repeats its mark and names its kind. */
const isAboutNote = hasClass('ltx_note_mark', 'ltx_tag_note', 'ltx_note_type')

/** A footnote's mark. Its text moves to the end. Other notes, of authors and for print, are omitted. */
function noteOf (note: Element, conversion: Conversion): Inline[] {
  if (!isFootnote(note) && !isMarkAlone(note) && !isTextAlone(note)) return []
  const [body] = descendants(note, hasClass('ltx_note_content'))
  const mark = plainTextOf(descendants(note, hasClass('ltx_note_mark'))[0]) || String(conversion.footnotes.length + 1)
  const content = body === undefined || isMarkAlone(note) ? [] : inlineOf(withoutChildren(body, isAboutNote), conversion)
  if (!isBlank(content)) conversion.footnotes.push(paragraph(superscript(mark), ' ', ...withoutLeadingBreaks(content)))
  return isTextAlone(note) ? [] : [superscript(mark)]
}
