/** A part of a text: plain, or the LaTeX of a formula without its delimiters. */
export interface TextPart { text: string, isFormula: boolean }

/** A formula between dollar signs, in \(…\) or in \[…\]. Prices are none: "$5 and $10". */
const formula = new RegExp([
  String.raw`(?<!\\)\$\$([^$]{1,2000})\$\$`,
  String.raw`(?<![\\$])\$(?!\s)((?:[^$\\]|\\.){1,2000}?)(?<!\s)\$(?!\d)`,
  String.raw`\\\(((?:[^\\]|\\(?![()])){1,2000})\\\)`,
  String.raw`(?<!\\)\\\[((?:[^\\]|\\(?![[\]])){1,2000})\\\]`
].join('|'), 'gs')

/** Splits a title or an abstract into plain text and formulas. */
export function splitFormulas (text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(formula)) {
    const latex = (match[1] ?? match[2] ?? match[3] ?? match[4])!
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isFormula: false })
    parts.push({ text: latex, isFormula: true })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFormula: false })
  return parts
}

const fontCommand =
  /\\(?:text(?:it|bf|rm|sf|sc|tt|sl|up|superscript|subscript)?|emph|mathrm|mathit|mathbf|mbox|underline|url)\s*\{([^{}]*)\}/g
const declaration = /\{\\(?:em|it|bf|rm|sc|tt|sl)\s+(?!\s)([^{}]*)\}/g
const citation = /~?\\(?:cite[pt]?|ref|label|footnote)\s*\{[^{}]*\}/g

/** Combining characters of accent commands. */
const accents: Readonly<Record<string, string>> = {
  '`': '\u0300',
  "'": '\u0301',
  '^': '\u0302',
  '~': '\u0303',
  '=': '\u0304',
  '.': '\u0307',
  '"': '\u0308',
  u: '\u0306',
  r: '\u030a',
  H: '\u030b',
  v: '\u030c',
  d: '\u0323',
  c: '\u0327',
  k: '\u0328',
  b: '\u0331'
}
/** Letters that have a command. */
const letters: Readonly<Record<string, string>> = {
  aa: 'å',
  AA: 'Å',
  ae: 'æ',
  AE: 'Æ',
  oe: 'œ',
  OE: 'Œ',
  o: 'ø',
  O: 'Ø',
  l: 'ł',
  L: 'Ł',
  ss: 'ß',
  i: 'ı',
  j: 'ȷ',
  dh: 'ð',
  DH: 'Ð',
  dj: 'đ',
  DJ: 'Đ',
  th: 'þ',
  TH: 'Þ',
  ng: 'ŋ',
  NG: 'Ŋ'
}
/** An opening brace that is neither escaped nor that of an argument. */
const group = String.raw`((?<!\\[A-Za-z]{0,20})\{)?`
const letterCommand = new RegExp(String.raw`${group}\\(${Object.keys(letters).join('|')})(?![A-Za-z])(?:\{(\p{L}?)\}|\s)?(\})?`, 'gu')
/** Addresses have tildes: "/\~user". A dot without braces may be escaped: "e\.g\.". */
const accentCommand = new RegExp(
  String.raw`${group}(?<!/)\\(?:([\x60'^"~=]|\.(?=[{ZzI]))|([uvHrckdb])(?![A-Za-z])\s?)(?:\{(\p{L})\}|(\p{L}))(\})?`,
  'gu'
)
const quoted = /``((?:[^`']|'(?!')){1,1000})''/g

/** Removes the braces around a text if both are there. */
const ungrouped = (text: string, open = '', close = '') => open !== '' && close !== '' ? text : `${open}${text}${close}`

/** Unescapes quotes that are no accents: those around words, and apostrophes. */
const unescapeQuotes = (text: string) =>
  (/\\"(?![\p{L}{\\])/u.test(text) ? text.replaceAll('\\"', '"') : text).replace(/\\'(?=(?:s|t|d|m|re|ve|ll)(?!\p{L}))/gu, "'")

const writeLetters = (text: string) =>
  text.replace(letterCommand, (_, open, name, next = '', close) => ungrouped(`${letters[name]}${next}`, open, close))

const writeAccents = (text: string) =>
  text.replace(accentCommand, (command, open, sign, name, braced, bare, close) => {
    const letter = (braced ?? bare).replace('ı', 'i').replace('ȷ', 'j')
    const accented = `${letter}${accents[sign ?? name]}`.normalize('NFC')
    // Without braces, an accent on a letter that never has it is something else.
    return bare !== undefined && accented.length > bare.length ? command : ungrouped(accented, open, close)
  })

/**
 * Removes LaTeX commands from plain text and keeps what they mark: "\textit{in vivo}" becomes "in vivo", "50\%" becomes "50%",
 * "Erd\H{o}s" becomes "Erdős".
 */
export function plainLatex (text: string): string {
  if (!mayHaveLatex(text)) return text
  // Twice, because a letter can have two accents.
  return writeAccents(writeAccents(writeLetters(unescapeQuotes(text))))
    .replace(citation, '').replace(fontCommand, '$1').replace(declaration, '$1')
    .replace(/\\([%&_#${}])/g, '$1').replace(/\\\s/g, ' ').replace(quoted, '“$1”')
}

/** Splits a text like splitFormulas, with plain text as people read it, also in quotes around formulas: ``the $p$ of it''. */
export function readableParts (text: string): TextPart[] {
  const parts = splitFormulas(text).map(part => part.isFormula ? part : { ...part, text: plainLatex(part.text) })
  /** The part with a quote that no quote in the same part closes. */
  let open: TextPart | undefined
  for (const part of parts.filter(({ isFormula }) => !isFormula)) {
    const closing = part.text.indexOf("''")
    if (open !== undefined && closing >= 0 && !part.text.slice(0, closing).includes('``')) {
      const opening = open.text.lastIndexOf('``')
      open.text = `${open.text.slice(0, opening)}“${open.text.slice(opening + 2)}`
      part.text = part.text.replace("''", '”')
      open = undefined
    }
    if (part.text.includes('``')) open = part
  }
  return parts
}

/** Whether a text may have formulas, commands or quotes of LaTeX. */
export const mayHaveLatex = (text: string): boolean => /[$\\]|``/.test(text)
