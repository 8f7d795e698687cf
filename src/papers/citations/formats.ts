import { bibtex } from './bibtex.js'
import { csl } from './csl.js'
import type { CitationFormat } from './format.js'
import { ris } from './ris.js'
import { text } from './text.js'

/** Every format of references. The first is used where a request names none. */
export const citationFormats: readonly [CitationFormat, ...CitationFormat[]] = [bibtex, ris, csl, text]

/** The default layout of a file with several references. */
export const plainList: NonNullable<CitationFormat['list']> = { begin: '', separator: '\n', end: '' }

/** The format of this name; the default format where no name is given. */
export const citationFormat = (name?: string): CitationFormat => citationFormats.find(each => each.name === name) ?? citationFormats[0]
