import { minuteMs } from '../../schemas/durations.js'

/* Limits of conversions. Bytes that an account may store are a setting; concurrent uploads are limited where they are received. */

/** Maximum size of a document in bytes. Larger files contain images rather than text. */
export const maxDocumentBytes = 64 * 1024 * 1024

/** Maximum length of what a converter may write, in characters. */
export const maxMarkdownCharacters = 64 * 1024 * 1024
/** Maximum length of a stored text in characters. */
export const maxTextCharacters = 8_000_000
/** Length of a stored part of a text in characters, unless it is one long block. */
export const maxPartCharacters = 100_000

/** Longer PDFs are books; their remaining pages are skipped. */
export const maxPdfPages = 500
/** Limits for the text items of a PDF. Dense pages have a few thousand items. */
export const maxPdfCharacters = 8_000_000
export const maxPdfItemsPerPage = 20_000
export const maxPdfBookmarks = 1000

/** A hostile document can keep a parser busy forever: its process is ended after this time. */
export const conversionTimeoutMs = minuteMs
/** A document can expand to any size: a process of the sandbox that holds more is ended. */
export const conversionMemoryBytes = 512 * 2 ** 20
/** Concurrent PDFs, and concurrent texts, each in its own process, so that texts do not wait for slow PDFs. */
export const conversionConcurrency = 1
