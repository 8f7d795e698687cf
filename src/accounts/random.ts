import { customAlphabet } from 'nanoid'

/** The 62 digits and letters: what a double click selects whole, and no address needs to escape. */
export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Unbiased, from the system's random source; 5.95 bits a character. */
export const randomText: (length: number) => string = customAlphabet(base62)
