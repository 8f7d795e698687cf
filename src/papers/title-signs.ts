import { LRUCache } from 'lru-cache'
import { displayedText } from '../latex/displayed-text.js'

/* Signs that tell works apart whose titles have the same letters. */

const tag = /<\/?[a-z][\w:]*(?:\s[^<>]*)?\/?>/gi
/** "C++" and "C#", which are no vitamin. */
const signedLetter = /(?<![\p{L}\p{N}])\p{L}(?:\+\+|#)/gu
const comparison = /[<>≤≥⩽⩾]/g
/** The charge of an ion, which may be in parentheses or TeX: "Fe3+", "Ca(2+)", "Fe$^{3-}$". */
const charge = /(?<![\p{L}\p{N}])([\p{L}\p{N}]{1,12})[\s()$^{}]{0,4}(\d?)([+\-−–⁺⁻])(?![\p{L}\p{N}])/gu

/** Comparisons in TeX, which are not displayed as text. */
const [texLess, texGreater] = [/\\(?:le|lt)(?:q|qslant)?(?![a-z])/g, /\\(?:ge|gt)(?:q|qslant)?(?![a-z])/g]
/** "$\bar{B}$" is another particle than "$B$". */
const texAccent = /\\(?:wide)?(bar|overline|hat|tilde|vec)(?![a-z])/g
/** "1.5", "1 and 2". */
const partedNumber = /(?<![\d.·])(\d{1,9})(?:[.·]|\s*(?:\band\b|&(?:amp;)?)\s*)(\d{1,9})(?![\d.·])/gi
const wholeNumber = /(?<![\d.·])\d+(?![\d.·])/g
/** A temperature, with the sign of one below zero. */
const temperature = /(?<![\d.·])((?<!\d\s?)(?<!\p{L})[-−–])?(\d+(?:[.·]\d+)?)(?=\s?(?:°|º|℃|degrees?\b))/gu

interface Signs {
  names: string
  comparisons: string
  charges: ReadonlyMap<string, string>
  /** Undefined without TeX. */
  accents: string | undefined
  /** "1 5" of "1.5", "1 2" of "1 and 2". */
  partedNumbers: ReadonlySet<string>
  wholeNumbers: ReadonlySet<string>
  /** Temperatures below zero, without their sign, and others. */
  frosts: ReadonlySet<string>
  warmths: ReadonlySet<string>
}

/** A title is compared with each of the same letters, and rendering its formulas takes a millisecond. */
const knownSigns = new LRUCache<string, Signs>({ max: 500, memoMethod: readSigns })
const signsOf = (title: string): Signs => knownSigns.memo(title)

function readSigns (title: string): Signs {
  const compared = title.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(tag, '').replace(texLess, '≤').replace(texGreater, '≥')
  const displayed = displayedText(compared)
  const text = displayed?.joined ?? compared
  const temperatures = [...text.matchAll(temperature)].map(([, sign, number]) => ({ isFrost: sign !== undefined, number: number! }))
  const numbersOf = (frost: boolean) => new Set(temperatures.filter(({ isFrost }) => isFrost === frost).map(({ number }) => number))
  return {
    accents: displayed && [...title.matchAll(texAccent)].map(([, accent]) => accent === 'overline' ? 'bar' : accent).join(' '),
    names: (text.match(signedLetter) ?? []).join(' ').toLowerCase(),
    comparisons: (text.match(comparison) ?? []).map(sign => '<≤⩽'.includes(sign) ? '<' : '>').join(''),
    charges: new Map([...text.matchAll(charge)].map(([, name, number, sign]) => [name! + number!, '+⁺'.includes(sign!) ? '+' : '-'])),
    partedNumbers: new Set([...text.matchAll(partedNumber)].map(([, first, second]) => `${first} ${second}`)),
    wholeNumbers: new Set(text.match(wholeNumber)),
    frosts: numbersOf(true),
    warmths: numbersOf(false)
  }
}

const hasSigns = /[-+#<>&≤≥⩽⩾−–⁺⁻\\$]|\d[.·]\d|\d\s*and\b/i

/**
 * Whether two titles of the same letters are of two works: on C and C++, on less and more than a number, on ions of opposite charge, on 1.5
 * and 15, on particles and antiparticles in TeX. A comparison or a charge that only one of them has can be lost on the way through a
 * database.
 */
export function differInSigns (one: string, other: string): boolean {
  if (one === other || !(hasSigns.test(one) || hasSigns.test(other))) return false
  const [these, those] = [signsOf(one), signsOf(other)]
  const areOpposite = these.comparisons !== '' && those.comparisons !== '' && these.comparisons !== those.comparisons
  const differInAccents = these.accents !== undefined && those.accents !== undefined && these.accents !== those.accents
  return these.names !== those.names || areOpposite || differInAccents ||
    joinsNumbersOf(these, those) || joinsNumbersOf(those, these) || thaws(these, those) || thaws(those, these) ||
    [...these.charges].some(([name, sign]) => (those.charges.get(name) ?? sign) !== sign)
}

/** Whether a title has the digits of numbers joined that stand apart in another: "15" for "1.5", "12" for "1 and 2". */
const joinsNumbersOf = (one: Signs, other: Signs): boolean =>
  [...one.partedNumbers].some(parts => !other.partedNumbers.has(parts) && other.wholeNumbers.has(parts.replace(' ', '')))

/** Whether a title has a temperature above zero that is below in another. */
const thaws = (one: Signs, other: Signs): boolean =>
  [...one.frosts].some(number => !other.frosts.has(number) && other.warmths.has(number))
