/** Characters of LaTeX commands that the BibTeX parser does not know. @see https://ctan.org/pkg/comprehensive */
const characters: Readonly<Record<string, string>> = {
  guillemetleft: '«',
  guillemetright: '»',
  schwa: 'ə',
  space: ' ',
  textcentoldstyle: '¢',
  textdblhyphen: '⸗',
  textdblhyphenchar: '⸗',
  textdied: '†',
  textdivorced: '⚮',
  textdollaroldstyle: '$',
  textglotstop: 'ʔ',
  textguarani: '₲',
  texthtc: 'ƈ',
  textlbrackdbl: '⟦',
  textlquill: '⁅',
  textmarried: '⚭',
  textminus: '−',
  textnonbreakinghyphen: '‑',
  textpermil: '‰',
  textquotesingle: "'",
  textquotestraightbase: '‚',
  textrbrackdbl: '⟧',
  textrquill: '⁆',
  textthreequartersemdash: '—',
  texttwelveudash: '–'
}

/** Commands for styles and line breaks. */
const styles = new RegExp(
  '^(?:text(?:normal|sf|md|lf|in|latin|greek|cyr)?|math(?:bf|it|sf|cal|frak|bb|scr|tt|normal)|' +
  'boldsymbol|bm|cyr|uline|ul|st|sout|fbox|(?:upper|lower)case|Make(?:Upper|Lower)case|autocap|nolinkurl|' +
  'protect|relax|xspace|newline|linebreak|break|noindent|newblock|ce)$'
)

/**
 * Converts a LaTeX command that the BibTeX parser does not know to text: its character, nothing for a style, or its name, which suits
 * operators such as \ln.
 */
export function readLatexCommand (command: string): string {
  const name = command.replace(/^\\/, '')
  return characters[name] ?? (styles.test(name) ? '' : `${name} `)
}
