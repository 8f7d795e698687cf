/** Attributes have an equals sign, so "a<b and c>d" is not markup. */
export const attributes = String.raw`(?:\s+[\w:-]+\s*=\s*(?:"[^"<>]*"|'[^'<>]*'|[^\s<>"']+))*\s*\/?`

const forms = '(?:jats:)?(?:inline-|block-)?alternatives|(?:jats:)?(?:inline|disp)-formula'
/** A formula in several forms. Every expression ends at the next tag of its kind, since a hostile text may open a million. */
const formula = new RegExp(String.raw`<(?:${forms})${attributes}>((?:(?!<\/?(?:${forms})\b)[^])*)<\/(?:${forms})\s*>`, 'gi')
const tex = new RegExp(String.raw`<((?:jats:)?tex-math)${attributes}>([^<]*)<\/\1\s*>`, 'gi')
const annotation = new RegExp(String.raw`<((?:mml:)?annotation(?:-xml)?)${attributes}>[^<]*<\/\1\s*>`, 'gi')
/** The Institute of Physics states formulas in processing instructions, with a second form behind. */
const [otherForm, character] = [/<\?MML\s(?:(?!<\?|\?>)[^])*\?>/g, /<\?CDATA\s((?:(?!<\?|\?>)[^])*)\?>|<!\[CDATA\[((?:(?!<!|\]\]>)[^])*)\]\]>/g]

/** Replaces formulas in the markup of JATS by their TeX between dollars, in one form where publishers state several. */
export function unmarkFormulas (text: string): string {
  if (!text.includes('<')) return text
  return text.replace(otherForm, '').replace(character, '$1$2').replace(annotation, '')
    .replace(formula, (whole, forms: string) => /<(?:jats:)?tex-math\b/i.test(forms) ? forms.match(tex)?.[0] ?? whole : whole)
    .replace(tex, (_, _name, latex: string) => between(latex))
}

/** TeX as a formula in a text. Most publishers write dollars. */
const between = (latex: string): string => /[$]|\\[([]/.test(latex) || latex.trim() === '' ? latex : `$${latex.trim()}$`

/** Removes the document that Springer Nature wraps each formula in. */
export function unwrapFormulas (text: string): string {
  const [before = '', ...documents] = text.split('\\documentclass')
  return before + documents.map(document => {
    const from = document.indexOf(begin)
    const to = document.indexOf(end, from)
    return from === -1 || to === -1 ? `\\documentclass${document}` : document.slice(from + begin.length, to) + document.slice(to + end.length)
  }).join('')
}

const [begin, end] = ['\\begin{document}', '\\end{document}']
