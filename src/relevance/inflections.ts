import { stemmer } from 'stemmer'
import { irregularPlural, irregularSingular } from '../search/irregular-plurals.js'

/** Words in which only Latin letters occur have English inflections. */
const latin = /^[a-z]+$/
const minLength = 3
/** Shorter words share their stem with too many others. */
const minVerbLength = 4

/**
 * The singular and plural of an English word, with the word itself. Some are no words or have another meaning, such as "these" of "theses":
 * what a text shares with a keyword by mistake ranks it a little higher.
 * @param isAcronym whether a final s belongs to the word, as in AIDS
 */
export function numberForms (word: string, isAcronym = false): Set<string> {
  if (!latin.test(word) || word.length < minLength) return new Set([word])
  const singulars = isAcronym ? [word] : [word, ...singularsOf(word)]
  return new Set([...singulars, ...singulars.flatMap(pluralsOf)])
}

/** Adjectives, and fields of study or goods: "genetic" and "genetics", "plastic" and "plastics". */
const adjective = /ics?$/
/** Names of drugs and people in -ic, and a few other nouns. */
const noun = new RegExp(
  '(?:biotic|psychotic|leptic|olytic|gesic|esthetic|septic|uretic|emetic|cotic|delic|coholic|abetic|demic|metric|' +
    '^(?:clinic|critic|fabric|heuristic|logic|mosaic|topic))s?$'
)
/** Words whose form with s, or without, has another meaning. */
const otherPlurals = new Set('customs glasses goods means news odds'.split(' '))
/** The same only without s. */
const otherSingulars = new Set([...otherPlurals, 'arms', 'theses', 'uses'])
/** Singulars that end in s, besides those in -us and -ss. */
const singularsInS = new Set('atlas bias canvas gas iris lens pancreas'.split(' '))
/** Shorter words in -ses have a singular in -se. */
const minGreekLength = 8

/**
 * The singular and plural of a word where they have its meaning, for keywords that hide papers: "genetics" does not hide what is genetic,
 * nor "cases" the abbreviation CAS.
 */
export function strictNumberForms (word: string): Set<string> {
  const isAlone = otherSingulars.has(word) || (adjective.test(word) && !noun.test(word))
  if (isAlone || !latin.test(word) || word.length < minLength) return new Set([word])
  const singulars = [word, ...singularsOf(word).filter(singular => isStrictSingular(word, singular))]
  return new Set([...singulars, ...singulars.flatMap(pluralsOf)].filter(form => form === word || !otherPlurals.has(form)))
}

/** Of words in -ses, "-s" is the singular only after u, as in viruses, and "-sis" only of long ones, as in diagnoses. */
function isStrictSingular (word: string, singular: string): boolean {
  if (!/[^s]ses$/.test(word)) return true
  if (singular.endsWith('sis')) return word.length >= minGreekLength
  return singular.endsWith('se') || singular.endsWith('us') || singularsInS.has(singular)
}

function singularsOf (word: string): string[] {
  const irregular = irregularSingular(word)
  return irregular === undefined ? regularSingulars(word) : [irregular]
}

function regularSingulars (word: string): string[] {
  if (word.length <= minLength || !/s$/.test(word) || /(?:ss|us|is)$/.test(word)) return []
  if (/ies$/.test(word) && word.length > 4) return [`${word.slice(0, -3)}y`]
  const ofSibilant = /(?:[sxz]|[cs]h)es$/.test(word) ? [word.slice(0, -2)] : []
  const ofGreek = /ses$/.test(word) ? [`${word.slice(0, -2)}is`] : []
  return [word.slice(0, -1), ...ofSibilant, ...ofGreek]
}

function pluralsOf (word: string): string[] {
  const irregular = irregularPlural(word)
  return irregular === undefined ? regularPlurals(word) : [...regularPlurals(word), irregular]
}

function regularPlurals (word: string): string[] {
  if (/[^aeiou]y$/.test(word)) return [`${word.slice(0, -1)}ies`]
  if (/sis$/.test(word)) return [`${word.slice(0, -2)}es`]
  if (/(?:[sxz]|[cs]h)$/.test(word)) return [`${word}es`]
  return /o$/.test(word) ? [`${word}s`, `${word}es`] : [`${word}s`]
}

const ending = /(?:ies|ied|ying|y|ing|es|ed|e|s)$/
const endings = ['', 'e', 's', 'es', 'ed', 'ing', 'y', 'ies', 'ied', 'ying']

/** The forms of an English verb or noun with the same stem (Porter), such as "sequenced" and "sequencing"; not words derived from it. */
export function verbForms (word: string): string[] {
  if (!latin.test(word) || word.length < minVerbLength) return []
  const stem = stemmer(word)
  const root = word.replace(ending, '')
  if (root.length < minLength) return []
  const single = root.replace(/(.)\1$/, '$1')
  const roots = new Set([root, single, `${single}${single.at(-1)}`])
  return [...roots].flatMap(root => endings.map(ending => `${root}${ending}`)).filter(form => stemmer(form) === stem)
}
