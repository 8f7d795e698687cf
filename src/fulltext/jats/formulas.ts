import { bareLatex } from '../markdown/latex.js'
import { latexOfMathml } from '../markdown/mathml.js'
import { descendants, type Element, named, plainTextOf, textContent } from '../dom/element.js'

const isFormula = named('tex-math', 'math')

/** A formula as LaTeX, and the text that stands for it where there is none: TeX is taken before MathML. */
export function formulaOf (element: Element): { latex: string, text: string } {
  const forms = isFormula(element) ? [element] : descendants(element, isFormula)
  const tex = forms.find(({ name }) => name === 'tex-math')
  const latex = tex === undefined ? forms.map(latexOfMathml).filter(each => each !== '').join(' \\quad ') : bareLatex(textContent(tex))
  return { latex, text: plainTextOf(element) }
}
