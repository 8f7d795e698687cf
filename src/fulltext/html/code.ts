import type { Block } from '../markdown/document.js'
import { descendants, type Element, isElement } from '../dom/element.js'
import { hasClass } from './classes.js'
import { latexOf } from './inline.js'

/** A listing or an algorithm: line by line, formulas as TeX. Line numbers precede their lines. */
export function codeOf (element: Element): Block[] {
  const lines = descendants(element, hasClass('ltx_listingline'))
  const text = lines.length === 0 ? sourceOf(element) : lines.map(line => sourceOf(line).replace(/\n/g, ' ').trimEnd()).join('\n')
  return /\S/.test(text) ? [{ kind: 'code', text }] : []
}

/** LaTeXML indents listings with no-break spaces. */
function sourceOf (element: Element): string {
  return element.children.map(node => {
    if (!isElement(node)) return node.replaceAll('\u00A0', ' ')
    if (node.name === 'math') return latexOf(node)
    // The download of the listing's source.
    return hasClass('ltx_listing_data')(node) ? '' : node.name === 'br' ? '\n' : sourceOf(node)
  }).join('')
}
