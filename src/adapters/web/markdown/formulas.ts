import { createRequire } from 'node:module'

/** Longer formulas are shown as source, and so are all formulas after this total of characters in a text. */
const maxFormulaCharacters = 4000
const maxCharacters = 400_000
/** Deeper nesting would overflow the stack. */
const maxDepth = 60
/** Formulas that define macros are shown as source: nested macros with arguments write millions of signs in a line of LaTeX. */
const definesMacros = /\\(?:[egx]?def|let|futurelet|global|long|(?:new|renew|provide)command)(?![A-Za-z@])/
/** Notations of chemistry and units, which take several times as long as others of their length. */
const isSlow = /\\(?:ce|pu)(?![A-Za-z@])/

interface Node {
  attributes?: Record<string, string>
  style?: Record<string, string>
  classes?: string[]
  children?: Node[]
  toMarkup: () => string
}

/** The exports of the package; its types differ. */
interface Temml { __renderToMathMLTree: (latex: string, options: object) => Node }

let temml: Temml | undefined

/** Loads the package with the first formula: it takes 4 MB of memory, and most feeds have none. */
function loadTemml (): Temml {
  temml ??= createRequire(import.meta.url)('temml') as Temml
  return temml
}

/** What a formula takes to typeset, in characters of usual formulas. */
export const formulaCost = (latex: string): number => isSlow.test(latex) ? 6 * latex.length : latex.length

/** Returns a function that converts the formulas of one text from LaTeX to MathML. Invalid formulas are shown as source. */
export function formulaWriter (): (latex: string, display: boolean) => string {
  const cache = new Map<string, string>()
  let characters = 0
  return (latex, display) => {
    const key = `${display ? 'display' : 'inline'} ${latex}`
    const cached = cache.get(key)
    if (cached !== undefined) return cached
    characters += formulaCost(latex)
    const isTooComplex = latex.length > maxFormulaCharacters || characters > maxCharacters || depthOf(latex) > maxDepth ||
      definesMacros.test(latex)
    const html = (isTooComplex ? undefined : mathml(latex, display)) ?? `<code class="formula-source">${escaped(latex)}</code>`
    cache.set(key, html)
    return html
  }
}

function mathml (latex: string, display: boolean): string | undefined {
  try {
    // `trust` forbids links, classes and requests. `wrap` groups a formula in a line of text, so that it can break after its operators.
    const options = { wrap: 'tex', throwOnError: true, trust: false, strict: false, maxExpand: 200, maxSize: [25, 100] }
    const tree = loadTemml().__renderToMathMLTree(latex, { displayMode: display, ...options })
    removeStyles(tree)
    return tree.toMarkup()
  } catch {
    return undefined
  }
}

/** Replaces alignments by classes and removes other styles, because the content security policy forbids style attributes. */
function removeStyles (node: Node): void {
  const { textAlign, paddingLeft, paddingRight, borderTop, borderBottom } = node.style ?? {}
  const classes = [
    textAlign === 'left' || textAlign === 'right' ? `math-${textAlign}` : '',
    paddingLeft?.startsWith('0em') && paddingRight?.startsWith('0em') ? 'math-tight' : '',
    borderTop === undefined ? '' : 'math-line-above',
    borderBottom === undefined ? '' : 'math-line-below',
    ...(node.classes ?? []).filter(name => /^tml-[a-z-]+$/.test(name))
  ].filter(name => name !== '')
  if (node.style !== undefined) node.style = {}
  if (node.classes !== undefined) node.classes = classes
  if (node.attributes !== undefined) {
    for (const name of Object.keys(node.attributes)) if (forbidden.test(name)) delete node.attributes[name]
  }
  for (const child of node.children ?? []) removeStyles(child)
}

const forbidden = /^(?:on|style$|href$|xlink|src$|id$|class$|data-)/i

function depthOf (latex: string): number {
  let depth = 0
  let deepest = 0
  for (const [mark] of latex.matchAll(/[{}]|\\(?:left|right|begin|end)\b/g)) {
    depth += mark === '{' || mark === '\\left' || mark === '\\begin' ? 1 : -1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

/** Escapes text for HTML. */
export const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, mark => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)
