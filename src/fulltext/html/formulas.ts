import { type Block, paragraph } from '../markdown/document.js'
import { displayFormula } from '../markdown/latex.js'
import { descendants, type Element, hasName, plainTextOf } from '../dom/element.js'
import { hasClass } from './classes.js'
import type { Conversion } from './conversion.js'
import { inlineOf, latexOf } from './inline.js'

const isRow = hasClass('ltx_eqn_row')

/** A display formula, or a group of aligned formulas: one block per row, with its number. Text between the rows is kept. */
export function displayedOf (equation: Element, conversion: Conversion): Block[] {
  const rows = descendants(equation, isRow)
  const ownNumber = rows.some(row => numberOf(row) !== '') ? '' : numberOf(equation)
  return (rows.length === 0 ? [equation] : rows).flatMap((row, at): Block[] => {
    const latex = descendants(row, hasName('math')).map(latexOf).filter(each => each !== '').join(' ')
    const number = numberOf(row) || (at === 0 ? ownNumber : '')
    if (latex !== '') return [displayFormula(latex, number)]
    const text = inlineOf(row, conversion)
    return plainTextOf(row) === '' || plainTextOf(row) === number ? [] : [paragraph(...text)]
  })
}

const numberOf = (element: Element): string => plainTextOf(descendants(element, hasClass('ltx_tag_equation', 'ltx_tag_equationgroup'))[0])
