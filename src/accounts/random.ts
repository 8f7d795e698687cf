import { randomInt } from 'node:crypto'

/** The 62 digits and letters: a double click selects all of them, and no address needs to escape one. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Unbiased random text from the system's random source; 5.95 bits a character. */
export const randomText = (length: number): string => Array.from({ length }, () => base62[randomInt(base62.length)]).join('')
