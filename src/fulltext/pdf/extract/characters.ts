/* Characters of a PDF's text, made plain: what fonts do to letters is undone, and what is no text goes. */

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }
/** Accents that stand by themselves, as TeX's fonts have them, and the combining ones. */
const combining: Record<string, string> = { '¨': '\u0308', '´': '\u0301', ˆ: '\u0302', '˜': '\u0303', ˇ: '\u030C', '˚': '\u030A', '¸': '\u0327', '˘': '\u0306', '¯': '\u0304' }

// eslint-disable-next-line no-control-regex -- these are what is taken away
const noText = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uFFF9-\uFFFF\uE000-\uF8FF]/g
const spaces = /[\s\u00A0\u2000-\u200A\u202F\u205F\u3000]+/g
const marks = Object.keys(combining)

/** A piece of text without ligatures, control characters and characters of private meaning; every blank is one space. Soft hyphens stay: see hyphenation.ts. */
export function plainText (text: string): string {
  return text.toWellFormed().replace(noText, '').replace(/[ﬀ-ﬆ]/g, ligature => ligatures[ligature]!).replace(spaces, ' ')
}

/** Letters that a font sets as an accent and a letter, as one: "M¨uller" is "Müller". Which of the two comes first is the document's way with each accent. */
export function composed (text: string): string {
  return marks.reduce((text, mark) => text.includes(mark) ? withAccent(text, mark) : text, text).normalize('NFC')
}

function withAccent (text: string, mark: string): string {
  const markFirst = new RegExp(`${mark}([A-Za-zı])`, 'g')
  const letterFirst = new RegExp(`([A-Za-zı])${mark}`, 'g')
  const usual = (pattern: RegExp) => [...text.matchAll(pattern)].filter(([, letter]) => isUsual(one(letter!, mark))).length
  return text.replace(usual(letterFirst) > usual(markFirst) ? letterFirst : markFirst, (pair, letter: string) => one(letter, mark) ?? pair)
}

function one (letter: string, accent: string): string | undefined {
  const letters = (letter.replace('ı', 'i') + combining[accent]!).normalize('NFC')
  return letters.length === 1 ? letters : undefined
}

/** Letters of Western Europe; others come together by chance as well. */
const isUsual = (letter: string | undefined) => letter !== undefined && letter <= 'ÿ'

/** How many characters are no blanks. */
export const lettersOf = (text: string): number => text.replace(/\s/g, '').length
