import { Type } from 'typebox'

/** Bounds of a search text, in characters without surrounding spaces. */
export const searchTextLength = { minimum: 3, maximum: 200 } as const
/** Characters that are enough with Chinese, Japanese or Korean, where two make a word, if a format takes short words. */
const shortMinimum = 2

/** A character of Chinese, Japanese or Korean. */
export const cjkCharacter = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const wordPattern = /[\p{L}\p{N}]/u

/** Characters that a search on a page needs. */
export const minimumLength = (text: string): number => cjkCharacter.test(text) ? shortMinimum : searchTextLength.minimum

/** Whether a search on a page has enough characters. */
export const isLongEnough = (text: string): boolean => [...text.trim()].length >= minimumLength(text)

/** The part of a text that is searched for. */
export const searchedPart = (text: string): string => [...text.trim()].slice(0, searchTextLength.maximum).join('')

/** Whether a text has a word to search for, in its searched part. */
export const hasWord = (text: string): boolean => wordPattern.test(searchedPart(text).normalize('NFKC'))

/** Formats of search texts, and the characters that each needs. The gate trims such texts, and takes an empty optional one as absent. */
export const searchFormats: Readonly<Record<string, (text: string) => number>> = {
  'search-text': () => searchTextLength.minimum,
  'short-search-text': minimumLength
}

interface Options { description: string, maxLength?: number, hasShortWords?: boolean }

/**
 * A text to search for, with a word, after trimming.
 * @param options.maxLength larger than the default where longer texts are cut
 * @param options.hasShortWords whether two characters of a script with short words are enough
 */
export const SearchText = ({ description, maxLength = searchTextLength.maximum, hasShortWords = false }: Options) => Type.String({
  minLength: hasShortWords ? shortMinimum : searchTextLength.minimum,
  maxLength,
  format: hasShortWords ? 'short-search-text' : 'search-text',
  description
})
