import { arxivAtom } from './arxiv-atom.js'
import { bibtex } from './bibtex.js'
import { cslJson } from './csl-json.js'
import type { Format } from './format.js'
import { jsonLines } from './json-lines.js'
import { nbib } from './nbib.js'
import { pubmedXml } from './pubmed-xml.js'
import { ris } from './ris.js'

/** Every format, in the order of detection. */
export const formats: readonly Format[] = [pubmedXml, arxivAtom, cslJson, jsonLines, ris, nbib, bibtex]

/** The names of all file formats. */
export const formatNames: readonly string[] = formats.map(({ name }) => name)

/** Finds a format by its name. */
export const findFormat = (name: string): Format | undefined => formats.find(format => format.name === name)

/** Detects the format of a file of records from its start. */
export const recordFormatOf = (head: string): Format | undefined => formats.find(format => format.matches(head))
