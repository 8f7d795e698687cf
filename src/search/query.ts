import { queryLength } from '../../schemas/feed.js'
import { InvalidArguments } from '../errors/operation-errors.js'
import { formatCount } from '../input/validator.js'
import { tokenize } from './tokenizer.js'

/** Formats the terms as the query that was run. @param hasAllTerms whether every item of the page has all terms */
export const formatQuery = (terms: readonly string[], hasAllTerms: boolean): string => terms.join(hasAllTerms ? ' ' : ' OR ')

const shortWordPattern = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u

/** Characters that a query needs: three, or two with Chinese, Japanese or Korean, where two characters make a word. */
export const minimumLength = (q: string): number => shortWordPattern.test(q) ? 2 : queryLength.minimum

/** Whether a query has enough characters. */
export const isLongEnough = (q: string): boolean => [...q.trim()].length >= minimumLength(q)

/**
 * Splits a query into its distinct terms, in order. Pasted links and prefixes of identifiers are reduced to the identifier.
 *
 * @param options.argument its name, for errors
 * @param options.shortWords whether two characters of a script with short words are enough
 * @throws InvalidArguments if `q` is too short or too long after trimming, or has no word
 */
export function parseQuery (q: string, { argument = 'q', shortWords = false }: { argument?: string, shortWords?: boolean } = {}): string[] {
  const length = [...q.trim()].length
  const minimum = shortWords ? minimumLength(q) : queryLength.minimum
  if (length < minimum || length > queryLength.maximum) {
    throw new InvalidArguments(
      `${argument} has ${formatCount(length, 'character')} after trimming; allowed: ${minimum} to ${queryLength.maximum}.`,
      { userMessage: `A search needs ${minimum} to ${queryLength.maximum} characters.` }
    )
  }
  const terms = [...new Set(tokenize(bareIdentifiers(q)))]
  if (terms.length === 0) {
    throw new InvalidArguments(`${argument} has no words. Send at least one letter or digit.`, {
      userMessage: 'Enter at least one letter or digit to search for.'
    })
  }
  return terms
}

/** Pasted forms of identifiers, and what the index holds instead. */
const pastedForms: ReadonlyArray<[form: RegExp, identifier: string]> = [
  [/\b(?:https?:\/\/)?(?:dx\.)?doi\.org\/(?=10\.)|\bdoi:\s*(?=10\.)/gi, ''],
  [/\b(?:https?:\/\/)?(?:www\.)?arxiv\.org\/(?:abs|pdf)\/(\d{4}\.\d{4,5})(?:v\d+)?(?:\.pdf)?/gi, '$1'],
  [/\barxiv:\s*(\d{4}\.\d{4,5})(?:v\d+)?/gi, '$1'],
  [/\b(?:https?:\/\/)?pubmed\.ncbi\.nlm\.nih\.gov\/(\d+)\/?/gi, '$1'],
  [/\bpmid:\s*(?=\d)/gi, '']
]

const bareIdentifiers = (q: string) => pastedForms.reduce((text, [form, identifier]) => text.replace(form, identifier), q)
