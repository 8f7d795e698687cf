const names = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'iota',
  'kappa',
  'lambda',
  'mu',
  'nu',
  'xi',
  'omicron',
  'pi',
  'rho',
  'sigma',
  'tau',
  'upsilon',
  'phi',
  'chi',
  'psi',
  'omega'
]

/** The English names of the lower-case Greek letters, which are also their commands in LaTeX. */
export const greekLetters: ReadonlyArray<[letter: string, name: string]> =
  [...'αβγδεζηθικλμνξοπρστυφχψω'].map((letter, at) => [letter, names[at]!])
