/* Spellings of British and American English in abstracts. Each rule is closed: "ae" and "our" also are in words of both. */

/** A British part of words, the American one, and what precedes and follows them, as patterns. */
type Rule = [british: string, american: string, before: string, after: string]

const ourRoots = 'arm|behavi|col|endeav|fav|flav|harb|hon|lab|misdemean|neighb|od|rum|sav|tum|vap|vig'
const emiaRoots = 'an|azot|bacter|calc|glyc|isch|kal|leuk|lipid|natr|phosphat|septic|thalass|tox|ur|uric|vir|volem'
const izeRoots =
  'atom|capital|categor|central|character|colon|computer|crystall|custom|deoxygen|digit|emphas|equal|fertil|general|global|harmon|' +
  'hospital|hypothes|immortal|immun|individual|industrial|initial|institutional|ion|item|local|marginal|maxim|medical|metabol|' +
  'mineral|minim|mobil|modern|national|neutral|normal|optim|organ|oxid|penal|personal|polar|polymer|priorit|random|recogn|' +
  'revascular|sensit|social|solubil|special|stabil|standard|steril|stigmat|summar|synchron|synthes|urban|util|vascular|victim|' +
  'visual'
const doubledRoots = 'cancel|channel|counsel|fuel|label|level|model|signal|travel|tunnel'

const rules: readonly Rule[] = [
  ['our', 'or', `^(?:anti|dis|mis|un|multi)?(?:${ourRoots})`, '(?:s|ed|ing|al|ally|able|ite|less|ful|hood|ings?)?$'],
  ['our', 'or', '^hum', '(?:s|ed|ing|less)?$'],
  ['aemi', 'emi', `(?:${emiaRoots})`, '[ac]'],
  ['haem', 'hem', '^(?:\\w*[^ct])?', '(?:at|angi|o(?:chr|coag|cyt|dia|dyn|fil|glob|ly|pexin|per|phag|ph|poie|rr|st|th|to))'],
  ['haem', 'heme', '^', '$'],
  ['paed', 'ped', '^(?:ortho)?', '(?:iatr|ics?$)'],
  ['oedema', 'edema', '(?<!angio?)', ''],
  ['oesoph', 'esoph', '^(?:trans|para|\\w*o)?', 'ag'],
  ['oestr', 'estr', '^(?:phyto|anti|xeno)?', '(?:o|a|i|us)'],
  ['foet', 'fet', '^', '(?:al|us|o)'],
  ['faec', 'fec', '^', '(?:al|es)'],
  ['aetiolog', 'etiolog', '^', ''],
  ['anaesth', 'anesth', '', ''],
  ['gynaec', 'gynec', '^', ''],
  ['caesar', 'cesar', '^', 'ean'],
  ['coeliac', 'celiac', '^', ''],
  ['rrhoea', 'rrhea', '', ''],
  ['pnoea', 'pnea', '', ''],
  ['manoeuv', 'maneuv', '^', ''],
  ['sulph', 'sulf', '', '(?:a|id|o|u|y|hydr)'],
  ['aluminium', 'aluminum', '^', '$'],
  ['re', 'er', '^(?:microfib|nanofib|fib|cent|epicent|(?:milli|micro)?lit|(?:centi|kilo|micro|milli|nano)met)', 's?$'],
  ['ys', 'yz', '^(?:re|psycho)?(?:anal|catal|dial|electrol|hydrol|paral)', '(?:e|ed|er|ers|ing)$'],
  ['is', 'iz', `^(?:re|de|un|non)?(?:${izeRoots})`, '(?:e|es|ed|er|ers|ing|ations?|ational|able)$'],
  ['l', '', `^(?:re|un)?(?:${doubledRoots})`, '(?:ed|ers?|ings?)$'],
  ['age', 'ag', '^', 'ing$'],
  ['programme', 'program', '^', 's?$'],
  ['grey', 'gray', '^', '$']
]

/** Replaces the parts of one side of the Atlantic in a word with those of the other. */
function respelling (from: 0 | 1, to: 0 | 1): (word: string) => string {
  // The part is found first: looking behind each character of a word would take several times as long.
  const patterns = rules.map(rule => `${rule[from]}(?<=(?:${rule[2]})${rule[from]})(?=${rule[3]})`)
  const replacements = rules.map((rule, at) => [new RegExp(patterns[at]!), rule[to]] as const)
  const any = new RegExp(patterns.join('|'))
  return word => any.test(word) ? replacements.reduce((text, [part, other]) => text.replace(part, other), word) : word
}

/** A lower-case word as Americans spell it. */
export const americanSpelling = respelling(0, 1)
/** The same as the British do. */
export const britishSpelling = respelling(1, 0)

/** The other spellings of a lower-case word: "tumour" of "tumor", and "tumor" of "tumour"; none for most words. */
export function otherSpellings (word: string): string[] {
  const american = americanSpelling(word)
  const other = american === word ? britishSpelling(word) : american
  return other === word ? [] : [other]
}

/** Letters that may follow a truncated word, of which some rules need one. */
const continuations = ['', 'a', 'e']

/** The other spellings of the beginning of a lower-case word: "leukemi" of "leukaemi", which "leukemia" and "leukemic" continue. */
export const otherBeginnings = (start: string): string[] => [...new Set(continuations.flatMap(end =>
  otherSpellings(start + end).filter(word => word.endsWith(end)).map(word => word.slice(0, word.length - end.length))))]

/**
 * A text whose words have their other spellings, where they have one: "tumor growth" of "tumour growth". An asterisk follows a truncated
 * word.
 */
export const inOtherSpelling = (text: string): string => text.replace(/[a-z]+(\*?)/gi, (word, mark: string) => {
  const [other] = mark === '' ? otherSpellings(word.toLowerCase()) : otherBeginnings(word.slice(0, -1).toLowerCase())
  return other === undefined ? word : other + mark
})
