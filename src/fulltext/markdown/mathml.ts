import { MathMLToLaTeX } from 'mathml-to-latex'
import { type Element, isElement } from '../dom/element.js'
import { bareLatex } from './latex.js'

const maxMathmlCharacters = 50_000
const maxNestingDepth = 60
/** Attributes that affect the appearance of a formula. */
const attributes = new Set(['open', 'close', 'separators', 'linethickness', 'mathvariant', 'accent', 'notation', 'display', 'stretchy'])

/** Converts MathML to LaTeX; '' if that fails. */
export function latexOfMathml (math: Element): string {
  const tex = texAnnotation(math)
  if (tex !== undefined) return bareLatex(tex)
  const source = serialized(math, 0)
  if (source === undefined || source.length > maxMathmlCharacters) return ''
  try {
    return bareLatex(escapePercent(MathMLToLaTeX.convert(source)))
  } catch {
    return ''
  }
}

/** MathML has no comments, so a percent sign is text, unlike in an author's TeX. */
const escapePercent = (latex: string) => latex.replace(/\\[^]|%/g, sign => sign === '%' ? '\\%' : sign)

function texAnnotation (math: Element): string | undefined {
  if (math.attributes.alttext !== undefined && /\\/.test(math.attributes.alttext)) return math.attributes.alttext
  const semantics = math.children.find((node): node is Element => isElement(node) && node.name === 'semantics')
  const annotation = semantics?.children.find(
    (node): node is Element => isElement(node) && node.name === 'annotation' && /tex$/i.test(node.attributes.encoding ?? '')
  )
  const text = annotation?.children.filter(node => !isElement(node)).join('')
  return text === undefined || text.trim() === '' ? undefined : text
}

const escaped = (text: string) => text.replace(/[&<>"]/g, mark => `&#${mark.charCodeAt(0)};`)

/** Without a delimiter on one side, as in a definition by cases, LaTeX wants a full stop there. */
const isFence = (attribute: string) => attribute === 'open' || attribute === 'close'

/** Returns undefined if the nesting is too deep for a formula. */
function serialized ({ name, attributes: elementAttributes, children }: Element, depth: number): string | undefined {
  if (depth > maxNestingDepth || !/^[a-z]+$/i.test(name)) return undefined
  if (name === 'annotation' || name === 'annotation-xml') return ''
  const own = Object.entries(elementAttributes)
    .filter(([key]) => attributes.has(key))
    .map(([key, value]) => ` ${key}="${escaped(isFence(key) && value.trim() === '' ? '.' : value)}"`)
    .join('')
  const content = children.map(node => isElement(node) ? serialized(node, depth + 1) : escaped(node))
  return content.includes(undefined) ? undefined : `<${name}${own}>${content.join('')}</${name}>`
}
