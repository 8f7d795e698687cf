import { randomInt } from 'node:crypto'

/** Digits and letters: selectable by double click and safe in URLs. */
const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Generates unbiased random base62 text from the CSPRNG; 5.95 bits per character. */
export const randomText = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
