import { arxivAtom } from './arxiv-atom.js'
import { bibtex } from './bibtex.js'
import { cochrane } from './cochrane.js'
import { cslJson } from './csl-json.js'
import { csv } from './csv.js'
import { endnoteXml } from './endnote-xml.js'
import type { Format } from './format.js'
import { jsonLines } from './json-lines.js'
import { nbib } from './nbib.js'
import { pubmedXml } from './pubmed-xml.js'
import { ris } from './ris.js'
import { webOfScience } from './web-of-science.js'

/** Every format, in the order of detection. */
export const formats: readonly Format[] =
  [pubmedXml, arxivAtom, endnoteXml, cslJson, jsonLines, csv, webOfScience, cochrane, ris, nbib, bibtex]

/** The names of all file formats. */
export const formatNames: readonly string[] = formats.map(({ name }) => name)

/** Names by which people know a format, besides its own, its title and its extensions. */
const otherNames: Readonly<Record<string, Format>> = {
  pubmed: pubmedXml,
  medline: nbib,
  // Several formats have this extension.
  txt: nbib,
  arxiv: arxivAtom,
  csl: cslJson,
  biblatex: bibtex,
  scopus: csv,
  embase: csv,
  zotero: csv,
  wos: webOfScience,
  endnote: endnoteXml,
  refer: ris
}

/** Finds a format by its name, its title, an extension without the dot, or another usual name, in any case. */
export function findFormat (name: string): Format | undefined {
  const known = name.toLowerCase()
  return formats.find(format => format.name === known || format.title.toLowerCase() === known) ??
    (Object.hasOwn(otherNames, known) ? otherNames[known] : undefined) ??
    formats.find(({ extensions }) => extensions.includes(`.${known}`))
}

/** Detects the format of a file of records from its start. */
export const recordFormatOf = (head: string): Format | undefined => formats.find(format => format.matches(head))
