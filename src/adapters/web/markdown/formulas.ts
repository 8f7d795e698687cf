import temml from 'temml'

/** Longer ones, and all once a text has had this many characters of them, are shown as they are written. */
const longestFormula = 4000
const mostCharacters = 400_000
/** Formulas within each other deeper than this would take the stack. */
const deepest = 60

interface Node { attributes?: Record<string, string>, style?: Record<string, string>, classes?: string[], children?: Node[], toMarkup: () => string }

// The package's types describe a module that its file is not.
const { __renderToMathMLTree: treeOf } = temml as unknown as { __renderToMathMLTree: (latex: string, options: object) => Node }

/** Turns the LaTeX of one text into MathML, which needs neither scripts nor fonts of ours. What cannot be read is shown as it is written. */
export function formulaWriter (): (latex: string, display: boolean) => string {
  const written = new Map<string, string>()
  let characters = 0
  return (latex, display) => {
    const key = `${display ? 'display' : 'inline'} ${latex}`
    const known = written.get(key)
    if (known !== undefined) return known
    characters += latex.length
    const markup = latex.length > longestFormula || characters > mostCharacters || depthOf(latex) > deepest ? undefined : mathml(latex, display)
    const shown = markup ?? `<code class="formula-source">${escaped(latex)}</code>`
    written.set(key, shown)
    return shown
  }
}

function mathml (latex: string, display: boolean): string | undefined {
  try {
    // No macro may make links, classes or requests (trust); none may multiply itself (maxExpand).
    const tree = treeOf(latex, { displayMode: display, throwOnError: true, trust: false, strict: false, maxExpand: 200, maxSize: [25, 100] })
    plain(tree)
    return tree.toMarkup()
  } catch {
    return undefined
  }
}

/** Alignments that matter, as classes: the content security policy takes no style from an attribute. */
function plain (node: Node): void {
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
  for (const child of node.children ?? []) plain(child)
}

const forbidden = /^(?:on|style$|href$|xlink|src$|id$|class$|data-)/i

function depthOf (latex: string): number {
  let depth = 0
  let most = 0
  for (const [mark] of latex.matchAll(/[{}]|\\(?:left|right|begin|end)\b/g)) {
    depth += mark === '{' || mark === '\\left' || mark === '\\begin' ? 1 : -1
    most = Math.max(most, depth)
  }
  return most
}

export const escaped = (text: string): string => text.replace(/[&<>"]/g, mark => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[mark]!)
