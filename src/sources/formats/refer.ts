import type { Tagged } from './lines.js'

/** Tags of RIS by the tags of Refer, which EndNote writes into .enw files. @see https://en.wikipedia.org/wiki/Refer_(software) */
const tags = new Map(
  '0 TY,8 DA,@ SN,> L1,A AU,B T2,D PY,G LA,I PB,J JO,K KW,N IS,P SP,R DO,T TI,U UR,V VL,X AB,Z N1'
    .split(',').map(pair => pair.split(' ') as [string, string])
)
const types = new Map([
  ['journal article', 'JOUR'],
  ['magazine article', 'MGZN'],
  ['newspaper article', 'NEWS'],
  ['electronic article', 'EJOUR'],
  ['book', 'BOOK'],
  ['edited book', 'EDBOOK'],
  ['book section', 'CHAP'],
  ['conference paper', 'CPAPER'],
  ['conference proceedings', 'CONF'],
  ['report', 'RPRT'],
  ['thesis', 'THES'],
  ['unpublished work', 'UNPB']
])

/** The type of RIS for a type of reference in EndNote's words; other words stay. */
export const referenceTypeOf = (words: string): string => types.get(words.trim().toLowerCase()) ?? words

/** Whether a line begins a record, as in "%0 Journal Article". */
export const beginsRefer = (line: string): boolean => /^\uFEFF?%0\s/.test(line)

/** Parses a line as a field of RIS. Fields that RIS has no use for continue no other. */
export function referField (line: string): Tagged | undefined {
  const [, name, value = ''] = /^\uFEFF?%(\S)(?:\s(.*))?$/s.exec(line) ?? []
  if (name === undefined) return undefined
  return { tag: tags.get(name) ?? `%${name}`, value: name === '0' ? referenceTypeOf(value) : value }
}
