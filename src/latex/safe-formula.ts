import { greekLetters } from './greek.js'

/** Commands that only show something. A document that prints a reference runs its commands, and others read files or never end. */
const commands = new Set([
  ...greekLetters.flatMap(([, name]) => [name, `var${name}`, name.charAt(0).toUpperCase() + name.slice(1)]),
  'mathrm', 'mathit', 'mathbf', 'mathsf', 'mathtt', 'mathcal', 'mathbb', 'mathfrak', 'text', 'textrm', 'textit', 'textbf', 'mbox', 'rm',
  'it', 'bf', 'boldsymbol', 'operatorname', 'hat', 'bar', 'tilde', 'vec', 'dot', 'ddot', 'overline', 'underline', 'widehat',
  'widetilde', 'prime', 'frac', 'sqrt', 'sum', 'prod', 'int', 'oint', 'partial', 'nabla', 'infty', 'ell', 'hbar', 'dagger', 'circ',
  'bullet', 'star', 'ast', 'pm', 'mp', 'times', 'div', 'cdot', 'cdots', 'ldots', 'dots', 'oplus', 'otimes', 'wedge', 'vee', 'cap',
  'cup', 'setminus', 'le', 'leq', 'ge', 'geq', 'ne', 'neq', 'll', 'gg', 'lesssim', 'gtrsim', 'approx', 'sim', 'simeq', 'cong', 'equiv',
  'propto', 'parallel', 'perp', 'in', 'notin', 'subset', 'subseteq', 'to', 'mapsto', 'rightarrow', 'leftarrow', 'leftrightarrow',
  'Rightarrow', 'longrightarrow', 'forall', 'exists', 'langle', 'rangle', 'mid', 'quad', 'arg', 'cos', 'cosh', 'cot', 'det', 'dim',
  'exp', 'gcd', 'inf', 'ker', 'lim', 'ln', 'log', 'max', 'min', 'sin', 'sinh', 'sup', 'tan', 'tanh'
])

/** Letters, signs that are no commands by themselves, and commands, as one token each. */
const token = /[A-Za-z0-9 +\-*/=()[\].,:;'!?<>|_^]|([{}])|\\([A-Za-z]+|[,;:! ])/y

/**
 * Whether a formula can stand in a document that somebody typesets: nothing but known commands and ASCII signs, braces in pairs, and no
 * two carets after each other, by which TeX writes any character.
 */
export function isSafeFormula (latex: string): boolean {
  if (latex.includes('^^')) return false
  let depth = 0
  token.lastIndex = 0
  for (let at = 0; at < latex.length; at = token.lastIndex) {
    const match = token.exec(latex)
    if (match === null) return false
    const [, brace, command] = match
    if (command !== undefined && /^[A-Za-z]/.test(command) && !commands.has(command)) return false
    if (brace !== undefined) depth += brace === '{' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}
