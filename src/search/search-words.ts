import { normalForm } from '../../schemas/normal-form.js'
import { tokenize } from './tokenizer.js'

/* The words of texts that are searched. Stored titles and interests are compared by `tokenize`. */

/** Letters that texts use for an apostrophe, and characters that only choose how another one looks, as that of an emoji. */
const apostropheLetters = /[\u02bb-\u02bf]/g
const selectors = /[\u180b-\u180d\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|\u20e3/gu
/** Such characters, and the first half of those of the last range: a fast test that most texts fail. */
const mayBeReplaced = /[\u02bb-\u02bf\udb40]|[\u180b-\u180f\ufe00-\ufe0f]|\u20e3/

/** A text as it is searched: with plain apostrophes, without selectors. */
export const searchForm = (text: string): string =>
  mayBeReplaced.test(text) ? text.replace(selectors, '').replace(apostropheLetters, "'") : text

/** Runs of Thai, Lao, Burmese and Khmer, which put no spaces between words. */
const mayBeUnspaced = /[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff]/
const unspacedRun = new RegExp(`${mayBeUnspaced.source}+`, 'g')
/** Characters of a run that are split at a time, which bounds the time of one call. */
const maxSegmentedLength = 500
/** It chooses the dictionary by the characters, not by the language. */
const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

/** The words of a text in the form of `searchForm`: as `tokenize`, but also of scripts without spaces. */
export function searchWords (text: string): string[] {
  const words = tokenize(text)
  return mayBeUnspaced.test(text) ? words.flatMap(splitUnspacedScripts) : words
}

function splitUnspacedScripts (word: string): string[] {
  const words: string[] = []
  let end = 0
  for (const { 0: run, index } of word.matchAll(unspacedRun)) {
    if (index > end) words.push(word.slice(end, index))
    words.push(...segmentsOf(run))
    end = index + run.length
  }
  if (end < word.length) words.push(word.slice(end))
  return words
}

/** NFKC takes the vowel "am" of Thai and Lao apart, which the dictionaries have as one character. */
const am = /\u0e4d\u0e32|\u0ecd\u0eb2/g
const composeAm = (run: string) => run.replace(am, parts => parts.startsWith('\u0e4d') ? '\u0e33' : '\u0eb3')

function segmentsOf (run: string): string[] {
  const text = composeAm(run)
  const words: string[] = []
  for (let from = 0; from < text.length; from += maxSegmentedLength) {
    for (const { segment } of segmenter.segment(text.slice(from, from + maxSegmentedLength))) words.push(segment)
  }
  return words
}

/** Pairs and runs of one query: each is compared with each of its words. */
const maxPairs = 100

/**
 * The words of each pair that follows another in a run of a query, which the dictionary may have split at another place than in a text,
 * where the word goes on; and of each whole run.
 */
export function unspacedPairs (text: string): string[][] {
  if (!mayBeUnspaced.test(text)) return []
  const pairs = (normalForm(text, 'NFKC').match(unspacedRun) ?? []).flatMap(run => {
    const words = segmentsOf(run)
    const pairsOfRun = words.slice(1).map((word, at) => [words[at]!, word])
    return words.length > 2 ? [words, ...pairsOfRun] : pairsOfRun
  })
  return [...new Map(pairs.map(words => [words.join(' '), words])).values()].slice(0, maxPairs)
}

const nonJoiner = '\u200c'
const withNonJoiner = /(?<![\p{L}\p{N}\p{M}])[\p{L}\p{N}\p{M}]+(?:\u200c+[\p{L}\p{N}\p{M}]+)+/gu

/** The parts of each word of a text that has a non-joiner, as in Persian; people also write it without. */
export const nonJoinedParts = (text: string): string[][] => text.includes(nonJoiner)
  ? (normalForm(text, 'NFKC').toLowerCase().match(withNonJoiner) ?? []).map(word => word.split(/\u200c+/))
  : []
