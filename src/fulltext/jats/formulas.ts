import { bareLatex } from '../markdown/latex.js'
import { latexOfMathml } from '../markdown/mathml.js'
import { descendants, type Element, hasName, plainTextOf, textContent } from '../dom/element.js'

const isFormula = hasName('tex-math', 'math')

/** A formula as LaTeX, with a text as fallback. TeX is preferred to MathML. */
export function formulaOf (element: Element): { latex: string, text: string } {
  const forms = isFormula(element) ? [element] : descendants(element, isFormula)
  const tex = forms.find(({ name }) => name === 'tex-math')
  const latex = tex === undefined ? forms.map(latexOfMathml).filter(each => each !== '').join(' \\quad ') : bareLatex(textContent(tex))
  return { latex, text: plainTextOf(element) }
}
