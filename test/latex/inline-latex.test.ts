import t from 'tap'
import { plainLatex, readableParts, splitFormulas } from '../../src/latex/inline-latex.js'
import { takesLess } from '../support/event-loop.js'

t.test('finds formulas in titles and abstracts', async t => {
  const formulas = (text: string) => splitFormulas(text).filter(({ isFormula }) => isFormula).map(({ text }) => text)
  t.same(formulas('Decay of $B^0 \\to K^{*0}\\mu^+\\mu^-$ at $\\sqrt{s}=13$ TeV'), ['B^0 \\to K^{*0}\\mu^+\\mu^-', '\\sqrt{s}=13'])
  t.same(formulas('A bound \\(O(n \\log n)\\) and $$x^2$$'), ['O(n \\log n)', 'x^2'])
  t.same(formulas('Let \\[x = y\\] and \\[ \\frac{a}{b} \\], not \\\\[2pt] nor \\[ alone'), ['x = y', ' \\frac{a}{b} '])
  t.same(formulas('It costs $5 to $10, or \\$3'), [])
  t.same(splitFormulas('a $x$ b'), [{ text: 'a ', isFormula: false }, { text: 'x', isFormula: true }, { text: ' b', isFormula: false }])
})

t.test('keeps what text commands mark', async t => {
  t.equal(plainLatex('Growth \\textit{in vivo} by 50\\% {\\em only}~\\cite{a2020}'), 'Growth in vivo by 50% only')
  t.equal(plainLatex('C:\\temp'), 'C:\\temp')
})

t.test('converts accents, letters and quotes to Unicode', async t => {
  const cases: ReadonlyArray<[latex: string, text: string]> = [
    ['Schr\\"odinger', 'Schrödinger'],
    ['Schr\\"{o}dinger', 'Schrödinger'],
    ['Schr{\\"o}dinger and {\\"{U}}ber', 'Schrödinger and Über'],
    ['M{\\"u}ller', 'Müller'],
    ['Erd\\H{o}s', 'Erdős'],
    ['Erd{\\H o}s and Erd\\H os', 'Erdős and Erdős'],
    ["Poincar\\'e", 'Poincaré'],
    ["Poincar\\'{e}", 'Poincaré'],
    ["\\'Etale cohomology", 'Étale cohomology'],
    ['\\`a la carte', 'à la carte'],
    ['r\\^ole', 'rôle'],
    ['Espa\\~na', 'España'],
    ['na\\"{\\i}ve, na\\"\\i ve', 'naïve, naïve'],
    ["Garc\\'{\\i}a", 'García'],
    ['Fran\\c{c}ois and Fran\\c cois', 'François and François'],
    ['\\v{S}koda, \\v Cech', 'Škoda, Čech'],
    ['Ho\\v{r}ava--Lifshitz', 'Hořava--Lifshitz'],
    ['\\u{g}', 'ğ'],
    ['Kr\\=al', 'Krāl'],
    ['\\.{Z}ak and \\.Istanbul', 'Żak and İstanbul'],
    ['\\k{a}, \\r{u}, \\d{s}, \\b{d}', 'ą, ů, ṣ, ḏ'],
    ["Vi\\d{\\^e}t, B\\'{\\^a}t", 'Việt, Bất'],
    ['\\AA ngstr\\"om and \\aa{}', 'Ångström and å'],
    ['S\\o ren S{\\o}rensen', 'Søren Sørensen'],
    ['Gau\\ss{} and Gro\\ss e', 'Gauß and Große'],
    ['\\L ukasiewicz, {\\L}ojasiewicz, \\L{o}jasiewicz, Pawe\\l', 'Łukasiewicz, Łojasiewicz, Łojasiewicz, Paweł'],
    ['\\oe uvre, \\AE{}on, \\th{}orn, \\dj', 'œuvre, Æon, þorn, đ'],
    ['\\textit{Schr\\"{o}dinger} and \\emph{\\o}', 'Schrödinger and ø'],
    ["``Spooky'' action, ``it's''", "“Spooky” action, “it's”"],
    ["Wi\\'sniewski", 'Wiśniewski'],
    // No accents.
    ['C:\\users\\data and \\d\\e', 'C:\\users\\data and \\d\\e'],
    ['\\omega, \\alpha, \\ldots, \\in', '\\omega, \\alpha, \\ldots, \\in'],
    ["the patient\\'s, we\\'re", "the patient's, we're"],
    ['\\"everything\\" else', '"everything" else'],
    ['https://a.example/\\~user, e\\.g\\.', 'https://a.example/\\~user, e\\.g\\.'],
    ["5'' and `a' and ``open", "5'' and `a' and ``open"],
    ["\\'2 \\^{} \\v{} \\'q", "\\'2 \\^{} \\v{} \\'q"]
  ]
  for (const [latex, text] of cases) t.equal(plainLatex(latex), text, latex)
})

t.test('converts quotes around formulas', async t => {
  const read = (text: string) => readableParts(text).map(({ text, isFormula }) => isFormula ? `[${text}]` : text).join('')
  for (const [latex, text] of [
    ["The ``$p$ value'' of $f''$", "The “[p] value” of [f'']"],
    ["``a $b$ c $d$ e'' and ``f $g$''", '“a [b] c [d] e” and “f [g]”'],
    ["``one'' $x$ ``two'' and ``three $y$'' four''", "“one” [x] “two” and “three [y]” four''"],
    ['``open $x$ and 5 $y$ more', '``open [x] and 5 [y] more'],
    ["$x$ of 5'' and ``no $y$", "[x] of 5'' and ``no [y]"]
  ] as const) t.equal(read(latex), text, latex)
})

t.test('takes linear time for hostile texts', async t => {
  const repeated = [
    '$', '$a ', '\\(', '\\text{', '\\[', '\\[a', '``', '``a', "``a'", "'", '{', '{\\"',
    '\\"', '\\"{', '\\H ', '\\H{', '\\v', '\\o{', '\\aa', '{\\o',
    '\\ ', '\\\\', 'a{', '\\a{', "\\'", "\\'s", '{\\em'
  ]
  const texts = repeated.flatMap(part => [part.repeat(100_000 / part.length), `${part}${' '.repeat(50_000)}`.repeat(2)])
  await takesLess(t, 2000, () => {
    for (const text of texts) {
      splitFormulas(text)
      plainLatex(text)
      readableParts(text)
      readableParts(`${text}$x$${text}`)
    }
  })
})
