/** A part of a text: plain, or the LaTeX of a formula. */
export interface TextPart { text: string, isFormula: boolean }

/** A formula between dollar signs or in \(…\). Prices are none: "$5 and $10". */
const formula =
  /(?<!\\)\$\$([^$]{1,2000})\$\$|(?<![\\$])\$(?!\s)((?:[^$\\]|\\.){1,2000}?)(?<!\s)\$(?!\d)|\\\(((?:[^\\]|\\(?![()])){1,2000})\\\)/gs

/** Splits a title or an abstract into plain text and formulas. */
export function splitFormulas (text: string): TextPart[] {
  const parts: TextPart[] = []
  let end = 0
  for (const match of text.matchAll(formula)) {
    const latex = (match[1] ?? match[2] ?? match[3])!
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isFormula: false })
    parts.push({ text: latex, isFormula: true })
    end = match.index + match[0].length
  }
  if (end < text.length) parts.push({ text: text.slice(end), isFormula: false })
  return parts
}

const fontCommand =
  /\\(?:text(?:it|bf|rm|sf|sc|tt|sl|up|superscript|subscript)?|emph|mathrm|mathit|mathbf|mbox|underline|url)\s*\{([^{}]*)\}/g
const declaration = /\{\\(?:em|it|bf|rm|sc|tt|sl)\s+([^{}]*)\}/g
const citation = /~?\\(?:cite[pt]?|ref|label|footnote)\s*\{[^{}]*\}/g

/** Removes LaTeX commands from plain text and keeps what they mark: "\textit{in vivo}" becomes "in vivo", "50\%" becomes "50%". */
export function plainLatex (text: string): string {
  if (!text.includes('\\')) return text
  return text
    .replace(citation, '').replace(fontCommand, '$1').replace(declaration, '$1')
    .replace(/\\([%&_#${}])/g, '$1').replace(/\\\s/g, ' ')
}
