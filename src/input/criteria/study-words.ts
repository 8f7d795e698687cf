import { wordSet } from '../word-set.js'
import { CaselessPattern } from './caseless-pattern.js'

/*
 * Words that say what kind of paper, study or participant somebody does not want to read about: "no animal studies". Names that begin
 * with "no", such as "No Child Left Behind", have none of them at their end.
 */

/** Kinds of papers and studies. */
const documents = wordSet(
  'review reviews meta-analysis meta-analyses metaanalysis metaanalyses study studies substudies paper papers preprint preprints ' +
  'article articles publication publications report reports trial trials rct rcts experiment experiments work works research ' +
  'editorial editorials letter letters comment comments commentary commentaries opinion opinions perspective perspectives viewpoint ' +
  'viewpoints essay essays protocol protocols abstract abstracts poster posters proceedings thesis theses dissertation dissertations ' +
  'book books chapter chapters series survey surveys guideline guidelines erratum errata corrigendum corrigenda retraction ' +
  'retractions correction corrections news tutorial tutorials patent patents blog blogs document documents record records literature ' +
  'interview interviews'
)
/** They, what they consist of, and those whom they study. */
const kinds = new Set([...documents, ...wordSet(
  'simulation simulations model models dataset datasets data cohort cohorts animal animals mouse mice rat rats ' +
  'rodent rodents rabbit rabbits pig pigs primate primates zebrafish drosophila plant plants human humans child children infant ' +
  'infants neonate neonates adolescent adolescents teenager teenagers adult adults people patients participants volunteers men women ' +
  'students in-vitro in-vivo in-silico ex-vivo cells lines organoids methods applications topics subjects theory'
)])
/** Words before them that many subjects have. */
const modifiers = wordSet(
  'a an the any all other further purely merely only most some such old older recent newer short brief single small large case ' +
  'conference meeting workshop preclinical pre-clinical clinical non-clinical nonclinical non-human nonhuman observational ' +
  'qualitative quantitative theoretical empirical experimental narrative systematic scoping umbrella literature retrospective ' +
  'prospective cross-sectional longitudinal randomised randomized non-randomised non-randomized nonrandomised nonrandomized ' +
  'uncontrolled controlled pilot feasibility methodological technical duplicate retracted predatory unpublished pediatric paediatric ' +
  'adult elderly pregnant healthy non-english english foreign-language cell tissue culture cultures murine bovine porcine canine ' +
  'equine fish insect veterinary computational computer mathematical numerical modelling modeling economic cost-effectiveness genetic ' +
  'or and nor non-peer-reviewed'
)

/** The words of the phrase that a text begins with: until a preposition, a mark or a relative clause. */
const phraseEnd = new CaselessPattern(
  '[,;:.!?()（）[\\]–—]|\\s(?:of|in|on|with|for|from|about|at|by|as|that|which|who|whose|using|involving|please|unless|if)(?![a-zÀ-ɏ])', 'u'
)
/** "In vitro" is one word. */
const latin = new CaselessPattern(/(?<![a-zÀ-ɏ])(in|ex)\s+(vitro|vivo|silico|situ)(?![a-zÀ-ɏ])/u, 'gu')
/** Phrases are short, so later characters are not read. */
const maxPhraseLength = 120

function firstPhrase (text: string): string {
  const beginning = text.slice(0, maxPhraseLength).replace(latin, '$1-$2')
  const end = beginning.search(phraseEnd)
  return beginning.slice(0, end === -1 ? undefined : end).trim()
}

const wordsOf = (phrase: string): string[] => phrase.toLowerCase().split(/[\s/]+/u).filter(word => word !== '')

/** Whether a text begins with a kind of paper, study or participant: "animal studies of sleep", "pilot trials or reviews". */
export const beginsWithKind = (text: string): boolean => beginsWithOne(text, kinds)
export const beginsWithDocuments = (text: string): boolean => beginsWithOne(text, documents)

const beginsWithOne = (text: string, names: ReadonlySet<string>) =>
  firstPhrase(text).split(/\s(?:and|or|nor)\s/iu).some(part => names.has(wordsOf(part).at(-1) ?? ''))

/** Whether it begins with nothing else: "older animal studies of sleep", but not "drop impact studies". */
export function beginsWithKindAlone (text: string): boolean {
  const words = wordsOf(firstPhrase(text))
  return words.some(word => kinds.has(word)) && words.every(isGeneral)
}

/** Whether a word names kinds of papers, studies or participants, or goes with them. */
export const isGeneral = (word: string): boolean => kinds.has(word) || modifiers.has(word)

/** Whether a text names kinds of documents and nothing else: "case reports and animal studies". */
export function namesDocuments (text: string): boolean {
  const words = wordsOf(text.replace(latin, '$1-$2').replaceAll(',', ' '))
  return documents.has(words.at(-1) ?? '') && words.every(isGeneral)
}
