/*
 * Fonts whose characters are not what their codes say: Symbol by private-use characters, fonts of the typesetting system 3B2 (Elsevier,
 * RSC, Springer, Wiley) by codes of their own, and ligatures of its text fonts.
 */

/** Adobe's encoding of Symbol, as far as papers use it. @see https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt */
const symbolCodes = new Map([
  ...characters(0x41, 'ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ'),
  ...characters(0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ'),
  ...characters(0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?≅'),
  ...characters(0xa2, '′≤⁄∞ƒ'),
  ...characters(0xab, '↔←↑→↓°±″≥×∝∂•÷≠≡≈…'),
  ...characters(0xc4, '⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇'),
  ...characters(0xd5, '∏√⋅¬∧∨⇔⇐⇑⇒⇓'),
  ...characters(0xe5, '∑')
])

function characters (first: number, text: string): Array<[code: number, character: string]> {
  return [...text].map((character, at) => [first + at, character])
}

/** Latin letters stand for Greek ones. */
const greek = new Map([...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
  .map(letter => [letter, symbolCodes.get(letter.charCodeAt(0))!]))
const ofMaths: ReadonlyArray<[string, string]> = [['¼', '='], ['þ', '+'], ['ð', '('], ['Þ', ')'], ['½', '[']]
const ligatures: ReadonlyArray<[string, string]> = [['\ue103', 'fi'], ['\ue104', 'fl'], ['\ue09d', 'ft']]

/** Characters by what pdf.js reads, by the beginning of the font's name. */
const fonts: ReadonlyArray<[name: RegExp, characters: ReadonlyMap<string, string>]> = [
  [/^AdvOT/, new Map(ligatures)],
  [/^AdvP4C4E74/, new Map(ofMaths)],
  [/^TeX_CM_Maths_Symbols/, new Map(ofMaths)],
  [/^AdvPS44A44B/, new Map([['e', '–'], ['$', '·']])],
  [/^AdvPS(?:4721B4|3F4C13)/, greek],
  [/^AdvPSMP13/, new Map([['l', 'μ'], ['c', 'γ']])],
  [/^AdvTir_symb/, new Map([['9', '×']])],
  [/^AdvPSMP4(?!\d)/, new Map([['\\', '<']])]
]

/** Glyphs that 3B2 names by their place in Computer Modern's symbols: "C14" is a degree. */
const glyphs: Readonly<Record<string, string>> = {
  C0: '−', C1: '·', C2: '×', C3: '∗', C4: '÷', C6: '±', C14: '°', C15: '•', C20: '≤', C21: '≥', C24: '∼', C25: '≈', C33: '→'
}

const privateSymbols = /[\uf020-\uf0ff]/g

/**
 * Creates a reader of the text that a font shows from what pdf.js reads.
 * @param name of the font @param glyphNames names of its glyphs by code, where it states them
 */
export function symbolReader (name: string, glyphNames: readonly string[] = []): (text: string) => string {
  const [, known] = fonts.find(([pattern]) => pattern.test(name)) ?? []
  if (known !== undefined) {
    const signOf = (sign: string) => glyphs[glyphNames[sign.charCodeAt(0)] ?? ''] ?? known.get(sign) ?? sign
    return text => [...text].map(signOf).join('')
  }
  return /symbol/i.test(name)
    ? text => text.replace(privateSymbols, sign => symbolCodes.get(sign.charCodeAt(0) & 0xff) ?? sign)
    : text => text
}
