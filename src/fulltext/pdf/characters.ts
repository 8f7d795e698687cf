/* Characters of a PDF's text, made plain: what fonts do to letters is undone, and what is no text goes. */

const ligatures: Record<string, string> = { ﬀ: 'ff', ﬁ: 'fi', ﬂ: 'fl', ﬃ: 'ffi', ﬄ: 'ffl', ﬅ: 'st', ﬆ: 'st' }
/** Accents that stand by themselves, as TeX's fonts have them, and the combining ones. */
const combining: Record<string, string> = { '¨': '\u0308', '´': '\u0301', ˆ: '\u0302', '˜': '\u0303', ˇ: '\u030C', '˚': '\u030A', '¸': '\u0327', '˘': '\u0306', '¯': '\u0304' }

// eslint-disable-next-line no-control-regex -- these are what is taken away
const noText = /[\u0000-\u0008\u000E-\u001F\u007F-\u009F\u200B-\u200F\u202A-\u202E\u2060-\u2064\uFEFF\uFFF9-\uFFFF\uE000-\uF8FF]/g
const spaces = /[\s\u00A0\u2000-\u200A\u202F\u205F\u3000]+/g
const accents = /([¨´ˆ˜ˇ˚¸˘¯])([A-Za-z])/g

/** A piece of text without ligatures, control characters and characters of private meaning; every blank is one space. Soft hyphens stay: see hyphenation.ts. */
export function plainText (text: string): string {
  return text.toWellFormed().replace(noText, '').replace(/[ﬀ-ﬆ]/g, ligature => ligatures[ligature]!).replace(spaces, ' ')
}

/** Letters that a font sets as an accent and a letter, as one: "M¨uller" is "Müller". */
export function composed (text: string): string {
  return text.replace(accents, (pair, accent: string, letter: string) => {
    const one = (letter + combining[accent]!).normalize('NFC')
    return one.length === 1 ? one : pair
  }).normalize('NFC')
}

/** How many characters are no blanks. */
export const lettersOf = (text: string): number => text.replace(/\s/g, '').length
