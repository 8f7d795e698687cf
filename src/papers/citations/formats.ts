import type { Paper } from '../../../schemas/paper.js'
import { writeBibtex } from './bibtex.js'
import { writeRis } from './ris.js'

export interface CitationWriter {
  /** As people call it. */
  title: string
  type: string
  extension: string
  /** @param taken what the records before it have taken, so that none has the same key */
  write: (paper: Paper, taken: Map<string, number>) => string
}

/** What references are written in. */
export const citationFormats = {
  bibtex: { title: 'BibTeX', type: 'application/x-bibtex; charset=utf-8', extension: 'bib', write: writeBibtex },
  ris: { title: 'RIS', type: 'application/x-research-info-systems; charset=utf-8', extension: 'ris', write: writeRis }
} satisfies Readonly<Record<string, CitationWriter>>
