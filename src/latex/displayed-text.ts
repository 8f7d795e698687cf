import { greekLetters } from './greek.js'
import { mayHaveLatex, plainLatex, readableParts } from './inline-latex.js'

const letterOfCommand = new Map([
  ...greekLetters.flatMap(([letter, name]): Array<[string, string]> => [
    [name, letter],
    [`var${name}`, letter],
    [name.charAt(0).toUpperCase() + name.slice(1), letter.toUpperCase()]
  ]),
  ['ell', 'l'],
  ['hbar', 'ħ']
])
/** Commands that show their name. */
const functionNames = new Set([
  'arg', 'cos', 'cosh', 'cot', 'det', 'dim', 'exp', 'gcd', 'inf', 'ker', 'lim', 'ln', 'log', 'max', 'min', 'sin', 'sinh', 'sup', 'tan',
  'tanh'
])
/** Commands that change how their argument looks. */
const fontCommand = new RegExp(`^(?:${[
  'math(?:rm|it|bf|sf|tt|cal|bb|frak|scr|normal)', 'text\\w*', 'rm', 'it', 'bf', 'bm', 'boldsymbol', 'operatorname', 'mbox', 'hat', 'bar',
  'tilde', 'vec', 'overline', 'widehat', 'widetilde'
].join('|')})$`)

/** A formula as a line of text. @param gap what stands between letters, and around subscripts and superscripts */
const formulaText = (latex: string, gap: '' | ' '): string =>
  plainLatex(latex)
    .replace(/\\(?:begin|end)\s*\{\w{1,20}\*?\}/g, ' ')
    .replace(/\\([A-Za-z]+)\s*/g, (_command, name: string) => {
      const letter = letterOfCommand.get(name)
      if (letter !== undefined) return `${gap}${letter}${gap}`
      return fontCommand.test(name) ? '' : functionNames.has(name) ? ` ${name} ` : ' '
    })
    .replace(/\\./g, ' ')
    .replace(/\}\s*\{/g, ' ')
    .replace(/[_^]/g, gap)
    .replace(/[{}]/g, '')

/** A text as people read it, and once more with its formulas apart from the words around them. */
export interface DisplayedText { joined: string, separated: string }

/**
 * Writes a title or an abstract as it is displayed, formulas as text: "TGF$\beta_1$" is "TGFβ1", and separated "TGF β 1".
 * @returns undefined if the text is displayed as it is
 */
export function displayedText (text: string): DisplayedText | undefined {
  if (!mayHaveLatex(text)) return undefined
  const parts = readableParts(text)
  const write = (gap: '' | ' ') => parts.map(({ text, isFormula }) => isFormula ? `${gap}${formulaText(text, gap)}${gap}` : text).join('')
  return { joined: write(''), separated: write(' ') }
}
