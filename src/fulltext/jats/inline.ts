import { doiLink, link } from '../markdown/link.js'
import { type Inline, lineBreak, superscript, withoutLeadingBreaks } from '../markdown/document.js'
import { inlineFormula } from '../markdown/latex.js'
import { childElements, type Element, firstChild, hasText, isElement, plainTextOf, textContent } from '../dom/element.js'
import type { Conversion } from './conversion.js'
import { formulaOf } from './formulas.js'

const href = ({ attributes }: Element): string | undefined => attributes['xlink:href'] ?? attributes.href
/** Elements without readable text. */
const omittedElements = new Set([
  'graphic',
  'media',
  'object-id',
  'alt-text',
  'long-desc',
  'processing-meta',
  'index-term',
  'permissions',
  'glyph-data'
])
/** Blocks where only inline content is possible, such as in a cell. */
const lines = new Set([
  'p',
  'list-item',
  'def-item',
  'disp-formula',
  'disp-quote',
  'verse-line',
  'title',
  'table-wrap',
  'fig',
  'tr',
  'attrib'
])

/** The inline content of an element's children. */
export const inlineOf = (element: Element | undefined, conversion: Conversion): Inline[] =>
  (element === undefined ? [] : withMarkedCitations(element)).flatMap(node => inlineNode(node, conversion))

/** The inline content of one node. */
export function inlineNode (node: Element | string, conversion: Conversion): Inline[] {
  if (!isElement(node)) return [node]
  const content = () => inlineOf(node, conversion)
  switch (node.name) {
    case 'bold': return [{ kind: 'strong', content: content() }]
    case 'italic': return [{ kind: 'emphasis', content: content() }]
    case 'sub': return [{ kind: 'subscript', content: content() }]
    case 'sup': return superscriptOf(node, content())
    case 'monospace': return [{ kind: 'code', text: textContent(node) }]
    case 'code': return [{ kind: 'code', text: textContent(node) }]
    case 'break': return [lineBreak]
    case 'hr': return []
    case 'xref': return isCitationMark(node) ? [`[${plainTextOf(node)}]`] : isNoteMark(node) ? [superscript(...content())] : content()
    case 'ext-link': return link(externalAddress(node), content())
    case 'uri': case 'self-uri': return link(href(node) ?? plainTextOf(node), content())
    case 'email': return link(`mailto:${plainTextOf(node)}`, content())
    case 'pub-id': return node.attributes['pub-id-type'] === 'doi' ? [doiLink(plainTextOf(node))] : content()
    case 'inline-formula': case 'tex-math': case 'math': return formulaText(node, conversion)
    case 'alternatives': case 'inline-alternatives': return alternativeOf(node, conversion)
    case 'inline-graphic': return [textContent(firstChild(node, 'alt-text'))]
    case 'chem-struct': case 'named-content': case 'styled-content': return content()
    case 'fn': return footnoteMark(node, conversion)
    case 'label': return [...content(), ' ']
    // A table within a cell.
    case 'td': case 'th': return [...content(), ' ']
    // The reading of a word, above it.
    case 'rt': return [' (', ...content(), ')']
    default:
      if (omittedElements.has(node.name)) return []
      return lines.has(node.name) ? [lineBreak, ...content(), lineBreak] : content()
  }
}

/** A citation by number: "12", and not the year of another style. */
const isNumberedCitation = (node: Element | string | undefined): node is Element =>
  node !== undefined && isElement(node) && node.name === 'xref' && node.attributes['ref-type'] === 'bibr' &&
  /^\d{1,3}$/.test(textContent(node))

/**
 * The children of an element, with citations that follow a word directly as one mark: "melts[1,2]", not "melts12". Styles may raise them,
 * without markup for it.
 */
export function withMarkedCitations ({ name, children }: Element): Array<Element | string> {
  if (name === 'sup' || !children.some(isNumberedCitation)) return children
  const nodes: Array<Element | string> = []
  for (let at = 0; at < children.length; at++) {
    const node = children[at]!
    const before = nodes.at(-1)
    // "[1,2]" is marked already.
    const isListed = typeof before === 'string' && /^\s?[,;/–-]\s?$/.test(before) && isNumberedCitation(nodes.at(-2))
    if (!isNumberedCitation(node) || typeof before !== 'string' || isListed || !/[^\s[({<=~±+−–-]$/.test(before)) {
      nodes.push(node)
      continue
    }
    const numbers = [textContent(node)]
    for (;;) {
      const [next, afterNext] = [children[at + 1], children[at + 2]]
      if (isNumberedCitation(next)) {
        numbers.push(',', textContent(next))
        at++
      } else if (typeof next === 'string' && /^[,–-]\s?$/.test(next) && isNumberedCitation(afterNext)) {
        numbers.push(next.trim(), textContent(afterNext))
        at += 2
      } else break
    }
    nodes.push(`[${numbers.join('')}]`)
  }
  return nodes
}

/** The address of an external link, which can be a DOI. */
function externalAddress (node: Element): string | undefined {
  const address = href(node)
  return node.attributes['ext-link-type'] === 'doi' ? address?.replace(/^(?:https?:\/\/(?:dx\.)?doi\.org\/)?/, 'https://doi.org/') : address
}

/** Superscript citations become brackets: "shown[1,2]", not "shown1,2". */
function superscriptOf (node: Element, content: Inline[]): Inline[] {
  const marks = childElements(node)
  if (marks.length > 0 && marks.every(each => each.name === 'xref' && each.attributes['ref-type'] === 'bibr')) {
    return [`[${plainTextOf(node).replace(/^\[|\]$/g, '')}]`]
  }
  return /^[\s,;]+$/.test(textContent(node)) ? content : [superscript(...content)]
}

const isCitationMark = (node: Element): boolean =>
  node.attributes['ref-type'] === 'bibr' &&
  childElements(node).some(each => each.name === 'sup') &&
  node.children.every(each => isElement(each) ? each.name === 'sup' : !/\S/.test(each))

/** The mark of a note, which styles raise, without markup for it. */
const isNoteMark = (node: Element): boolean =>
  /^(?:table-)?fn$/.test(node.attributes['ref-type'] ?? '') && /^(?:\p{L}|\d{1,3}|[^\s\p{L}\p{N}]{1,3})$/u.test(textContent(node))

function formulaText (node: Element, conversion: Conversion): Inline[] {
  const { latex, text } = formulaOf(node)
  if (latex !== '') return inlineFormula(latex)
  if (text === '') conversion.warnings.add('A formula is given as an image only.')
  // A formula can be plain text with sub and sup.
  return text === ''
    ? ['(formula as an image)']
    : node.name === 'inline-formula'
      ? node.children.flatMap(each => inlineNode(each, conversion))
      : [text]
}

/** The first alternative with text. */
function alternativeOf (node: Element, conversion: Conversion): Inline[] {
  const forms = childElements(node)
  const form =
    forms.find(each => each.name === 'tex-math') ??
    forms.find(each => each.name === 'math') ??
    forms.find(each => hasText(each) && !omittedElements.has(each.name))
  return form === undefined ? [] : inlineNode(form, conversion)
}

function footnoteMark (node: Element, conversion: Conversion): Inline[] {
  const mark = plainTextOf(firstChild(node, 'label')) || String(conversion.footnotes.length + 1)
  const body = node.children.filter(each => !isElement(each) || each.name !== 'label')
  const at = conversion.footnotes.push([]) - 1
  conversion.footnotes[at] = [
    { kind: 'paragraph', content: [superscript(mark), ' ', ...withoutLeadingBreaks(body.flatMap(each => inlineNode(each, conversion)))] }
  ]
  return [superscript(mark)]
}
