import { LRUCache } from 'lru-cache'
import { stemmer } from 'stemmer'
import { indexEntries, tokenize } from '../search/tokenizer.js'
import type { ScoredText } from './interest.js'

/** Stop words of English and of abstracts. */
const stopWords = new Set(('a about above after against all also an and are as at be been between both but by can could did do does during each for from had has have how if in into is it ' +
  'its may more most my no not of on or other our over own papers research same should since so some studies study such than that the their them then there these they this those through to ' +
  'under up use used using very was we were what when where which while who why will with within without work works would').split(' '))

/** A word in lower case, and its stem, which all its inflections share. */
export interface Term { term: string, word: string }

/** A paper's text, tokenized once for everything that scores it. */
export interface TokenizedText { title: Term[], abstract: Term[] }

/** Tokenizes what is scored of a paper. */
export const tokenizeText = ({ title, abstract }: ScoredText): TokenizedText => ({ title: extractTerms(title), abstract: abstract === null ? [] : extractTerms(abstract) })

const ascii = /^[\0-\x7f]*$/
/** Characters of a text that are read. */
const maxTextLength = 50_000
const stems = new LRUCache<string, string>({ max: 50_000 })

/** The words of a text in order, each with its stem (Porter, English), without stop words, numbers and single characters. */
export function extractTerms (text: string): Term[] {
  const terms: Term[] = []
  for (const word of entries(text.slice(0, maxTextLength))) {
    if (word.length < 2 || stopWords.has(word) || /^\d+$/.test(word)) continue
    terms.push({ term: stemOf(word), word })
  }
  return terms
}

/** Most texts are plain ASCII, whose words need no folding. */
const entries = (text: string): string[] => ascii.test(text) ? text.toLowerCase().match(/[a-z0-9]+/g) ?? [] : tokenize(text).flatMap(indexEntries)

function stemOf (word: string): string {
  const known = stems.get(word)
  if (known !== undefined) return known
  const stem = word.length <= 40 && /^[a-z]+$/.test(word) ? stemmer(word) : word
  stems.set(word, stem)
  return stem
}
