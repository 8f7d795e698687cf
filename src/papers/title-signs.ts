/* Signs that tell works apart whose titles have the same letters. */

const tag = /<\/?[a-z][\w:]*(?:\s[^<>]*)?\/?>/gi
/** "C++" and "C#", which are no vitamin. */
const signedLetter = /(?<![\p{L}\p{N}])\p{L}(?:\+\+|#)/gu
const comparison = /[<>≤≥⩽⩾]/g
/** The charge of an ion, which may be in parentheses or TeX: "Fe3+", "Ca(2+)", "Fe$^{3-}$". */
const charge = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,12})[\s()$^{}]{0,4}(\d?)([+\-−–⁺⁻])(?![\p{L}\p{N}])/gu

interface Signs { names: string, comparisons: string, charges: ReadonlyMap<string, string> }

function signsOf (title: string): Signs {
  const text = title.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(tag, '')
  return {
    names: (text.match(signedLetter) ?? []).join(' ').toLowerCase(),
    comparisons: (text.match(comparison) ?? []).map(sign => '<≤⩽'.includes(sign) ? '<' : '>').join(''),
    charges: new Map([...text.matchAll(charge)].map(([, name, number, sign]) => [name! + number!, '+⁺'.includes(sign!) ? '+' : '-']))
  }
}

const hasSigns = /[-+#<>&≤≥⩽⩾−–⁺⁻]/

/**
 * Whether two titles of the same letters are of two works: on C and C++, on less and more than a number, on ions of opposite charge. A
 * comparison or a charge that only one of them has can be lost on the way through a database.
 */
export function differInSigns (one: string, other: string): boolean {
  if (one === other || !(hasSigns.test(one) || hasSigns.test(other))) return false
  const [these, those] = [signsOf(one), signsOf(other)]
  const areOpposite = these.comparisons !== '' && those.comparisons !== '' && these.comparisons !== those.comparisons
  return these.names !== those.names || areOpposite ||
    [...these.charges].some(([name, sign]) => (those.charges.get(name) ?? sign) !== sign)
}
