/** A publication as the outside world knows it; every stand-in shows it in its own form. */
export interface Publication {
  title: string
  abstract?: string | null
  authors?: Array<[given: string, family: string]>
  /** Day that it is found from on: YYYY-MM-DD. */
  date: string
  doi?: string
  arxiv?: string
  version?: number
  pmid?: string
  pmcid?: string
  openalex?: string
  venue?: string
  /** DOI of the journal's version of a preprint. */
  publishedDoi?: string
  preprint?: boolean
  pdfUrl?: string
  jatsUrl?: string
  retracted?: boolean
  /** Its source sends it with an element that is not closed. */
  broken?: boolean
}

export const authorsOf = ({ authors = [['Ada', 'Lovelace'], ['Émile', 'Borel']] }: Publication) => authors

/** Whether a paper has a word of the question; stand-ins are asked simple ones. */
export function speaksOf (paper: Publication, question: string): boolean {
  const words = question.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  const text = `${paper.title} ${paper.abstract}`.toLowerCase()
  return words.length === 0 || words.some(word => text.includes(word))
}

/** A paper with everything that a source may say of one. */
export const editing: Publication = {
  title: 'Base editing of <i>ABCA4</i> in the retina',
  abstract: 'We edited α & β cells.',
  authors: [['Ana María', 'Núñez de Balboa'], ['Wei', 'Zhang']],
  date: '2026-11-10',
  doi: '10.1000/edit.1',
  arxiv: '2611.01234',
  version: 2,
  pmid: '41000001',
  pmcid: 'PMC12000001',
  openalex: 'W4400000001',
  venue: 'Journal of Editing'
}
