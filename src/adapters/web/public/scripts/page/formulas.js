/* Wide formulas get the focus, so that arrow keys can scroll them. */

/** Lets wide formulas of the page take the focus. */
export function makeFormulasFocusable () {
  for (const formula of document.querySelectorAll('.formula')) {
    if (formula.scrollWidth > formula.clientWidth) Object.assign(formula, { tabIndex: 0, role: 'group', ariaLabel: 'Formula' })
  }
}

/** Prepares formulas, also those that htmx inserts. */
export function startFormulas () {
  makeFormulasFocusable()
  document.addEventListener('htmx:afterSettle', makeFormulasFocusable)
}
