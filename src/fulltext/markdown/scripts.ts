const raised: Record<string, string> = {
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
  '+': '⁺',
  '-': '⁻',
  '−': '⁻',
  '–': '⁻',
  '=': '⁼',
  '(': '⁽',
  ')': '⁾',
  n: 'ⁿ',
  i: 'ⁱ'
}
const lowered: Record<string, string> = {
  0: '₀',
  1: '₁',
  2: '₂',
  3: '₃',
  4: '₄',
  5: '₅',
  6: '₆',
  7: '₇',
  8: '₈',
  9: '₉',
  '+': '₊',
  '-': '₋',
  '−': '₋',
  '–': '₋',
  '=': '₌',
  '(': '₍',
  ')': '₎',
  a: 'ₐ',
  e: 'ₑ',
  i: 'ᵢ',
  j: 'ⱼ',
  m: 'ₘ',
  n: 'ₙ',
  t: 'ₜ',
  x: 'ₓ'
}

/** Converts text to superscript or subscript characters: "2+" to "²⁺". Returns undefined if Unicode lacks one. */
export function scripted (text: string, script: 'superscript' | 'subscript'): string | undefined {
  const scriptCharacters = script === 'superscript' ? raised : lowered
  const characters = [...text.trim()]
  return characters.length > 0 && characters.every(each => each in scriptCharacters)
    ? characters.map(each => scriptCharacters[each]).join('')
    : undefined
}
