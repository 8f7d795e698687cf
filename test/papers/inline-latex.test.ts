import t from 'tap'
import { plainLatex, splitFormulas } from '../../src/papers/inline-latex.js'

t.test('finds formulas in titles and abstracts', async t => {
  const formulas = (text: string) => splitFormulas(text).filter(({ isFormula }) => isFormula).map(({ text }) => text)
  t.same(formulas('Decay of $B^0 \\to K^{*0}\\mu^+\\mu^-$ at $\\sqrt{s}=13$ TeV'), ['B^0 \\to K^{*0}\\mu^+\\mu^-', '\\sqrt{s}=13'])
  t.same(formulas('A bound \\(O(n \\log n)\\) and $$x^2$$'), ['O(n \\log n)', 'x^2'])
  t.same(formulas('It costs $5 to $10, or \\$3'), [])
  t.same(splitFormulas('a $x$ b'), [{ text: 'a ', isFormula: false }, { text: 'x', isFormula: true }, { text: ' b', isFormula: false }])
})

t.test('keeps what text commands mark', async t => {
  t.equal(plainLatex('Growth \\textit{in vivo} by 50\\% {\\em only}~\\cite{a2020}'), 'Growth in vivo by 50% only')
  t.equal(plainLatex('C:\\temp'), 'C:\\temp')
})

t.test('takes linear time for hostile texts', async t => {
  const started = performance.now()
  for (const text of ['$'.repeat(100_000), '$a '.repeat(30_000), '\\('.repeat(50_000), '\\text{'.repeat(20_000)]) {
    splitFormulas(text)
    plainLatex(text)
  }
  t.ok(performance.now() - started < 2000)
})
