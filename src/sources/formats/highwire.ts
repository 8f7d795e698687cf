import { greekLetters } from '../../latex/greek.js'

/* Marks that HighWire, the platform of bioRxiv and medRxiv, leaves in titles and abstracts of its API, its feeds and Europe PMC. */

/** The prefixes of the DOIs of bioRxiv and medRxiv. */
const prefixes = /^10\.(?:1101|64898)\//

/** What HighWire writes in braces instead of a character. */
const named: Readonly<Record<string, string>> = {
  ...Object.fromEntries(greekLetters.flatMap(([letter, name]) => [
    [name, letter], [name[0]!.toUpperCase() + name.slice(1), letter.toUpperCase()]
  ])),
  varepsilon: 'ε',
  vartheta: 'ϑ',
  varphi: 'φ',
  degrees: '°',
  degree: '°',
  micro: 'µ',
  'plus/minus': '±',
  '+/-': '±',
  plusmn: '±',
  approx: '≈',
  'approximately equal to': '≈',
  sim: '∼',
  ge: '≥',
  geq: '≥',
  le: '≤',
  leq: '≤',
  ne: '≠',
  neq: '≠',
  times: '×',
  middot: '·',
  prime: '′',
  infty: '∞',
  infinity: '∞',
  rightarrow: '→',
  rarr: '→',
  larr: '←',
  uarr: '↑',
  darr: '↓',
  angstrom: 'Å',
  permil: '‰',
  partial: '∂',
  euro: '€',
  pound: '£'
}

/** After a command or a sign of LaTeX, braces belong to a formula. */
const inBraces = /(?<!\\[A-Za-z]{1,20}|[\^_\\])\{([A-Za-z+/ -]{2,24})\}/g
const inBrackets = /\[(&[A-Za-z]{2,8};|-(?:&gt;|>)|[≥≤≈∼~×±→←↑↓−≠∞°])\]/g
const figures = ['FIG', 'TBL', 'INLINEFIG'] as const

/** Whether a paper of this DOI can have such marks, from whatever source. */
export const isFromHighwire = (doi: string | null): boolean => doi !== null && prefixes.test(doi)

/**
 * Replaces the marks by what they stand for: headings of a structured abstract ("O_ST_ABSAimC_ST_ABSWe") become labels of paragraphs, items
 * of lists ("O_LI") paragraphs, small capitals ("O_SCPLOW") plain text, and figures are removed. A heading "Abstract" of the whole is too.
 */
export function readHighwire (text: string): string {
  let read = figures.reduce(withoutFigures, text)
    .replace(/O_ST_ABS(.{0,100}?)C_ST_ABS[\s:]*/g, '\n\n$1: ')
    .replace(/[OC]_SCP(?:LOW|CAP)/g, '')
    .replace(inBraces, (written, name: string) => Object.hasOwn(named, name) ? named[name]! : written)
    .replace(inBrackets, (_, sign: string) => sign.startsWith('-') ? '→' : sign)
  if (/O_LI/.test(read) && /C_LI/.test(read)) read = read.replace(/[OC]_(?:LI|[UO]?L)/g, '\n\n')
  return read.replace(/^\s*(?:(?:Abstract|Summary)(?:\/Summary)?(?=\p{Lu}|\s*\n)|(?:ABSTRACT|SUMMARY)(?=\s*\p{Lu}\p{Ll}|\s*\n))[\s:]*/u, '')
}

/** Without the blocks from the opening to the closing mark; one without an end stays. */
function withoutFigures (text: string, kind: typeof figures[number]): string {
  const [open, close] = [`O_${kind}`, `C_${kind}`]
  let kept = ''
  let from = 0
  for (let start = text.indexOf(open); start !== -1; start = text.indexOf(open, from)) {
    const end = text.indexOf(close, start)
    if (end === -1) break
    kept += `${text.slice(from, start)} `
    from = end + close.length
  }
  return kept + text.slice(from)
}
