import t from 'tap'
import { displayedText } from '../../src/latex/displayed-text.js'
import { takesLess } from '../support/event-loop.js'

t.test('writes formulas as the text that people read', async t => {
  for (const [latex, joined] of [
    ['$\\alpha$-synuclein', 'α-synuclein'],
    ['TGF$\\beta_1$ and $\\Lambda$CDM', 'TGFβ1 and ΛCDM'],
    ['$\\mathrm{H_2O}$ and $^{13}$C at $\\sqrt{s}=13\\,\\mathrm{TeV}$', 'H2O and 13C at s=13 TeV'],
    ['$\\frac{a}{b}$ of $\\log n$', 'a b of log n'],
    ['\\textit{in vivo} by Erd{\\H o}s', 'in vivo by Erdős'],
    ['$\\begin{matrix} a & b \\\\ c \\end{matrix}$', 'a & b c']
  ] as const) t.equal(displayedText(latex)!.joined.replace(/\s+/g, ' ').trim(), joined, latex)
})

t.test('also sets formulas apart from words', async t => {
  const words = (text: string) => displayedText(text)!.separated.trim().split(/\s+/)
  t.strictSame(words('TGF$\\beta_1$'), ['TGF', 'β', '1'])
  t.strictSame(words('$\\Lambda$CDM'), ['Λ', 'CDM'])
  t.strictSame(words('$K^0\\mu$'), ['K', '0', 'μ'])
})

t.test('leaves a text without LaTeX alone', async t => {
  t.equal(displayedText('Sleep, 50 % of _all_ {cases}'), undefined)
})

t.test('takes linear time for hostile formulas', async t => {
  const parts = ['\\', '\\a', '{', '}', '} {', '_', '\\begin', '\\begin{', '\\begin{a', ' ', '\\mathrm ', '$x$', '\\(']
  const texts = parts.flatMap(part => [`$x${part.repeat(1900 / part.length)}x$ `.repeat(50), `\\(${part.repeat(100_000 / part.length)}\\)`])
  await takesLess(t, 2000, () => { for (const text of texts) displayedText(text) })
})
