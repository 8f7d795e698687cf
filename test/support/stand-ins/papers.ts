/** A publication, which every stand-in returns in the format of its service. */
export interface Publication {
  title: string
  abstract?: string | null
  authors?: Array<[given: string, family: string, ids?: { orcid?: string, openalex?: string, ror?: string, institution?: string }]>
  /** Works that it cites: each by all its identifiers. */
  cites?: Array<Pick<Publication, 'doi' | 'pmid' | 'openalex'>>
  citedBy?: number
  journal?: { issns: string[], issnL?: string, openalex?: string }
  /** Publication day, from which sources list it: YYYY-MM-DD. */
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
  /** Crossref's `has-preprint`. */
  preprints?: Array<{ type: string, id: string }>
  /** arXiv's citation of the published form. */
  journalRef?: string
  /** Day of the latest version on arXiv; otherwise `date`. */
  updated?: string
  /** arXiv's comment. */
  comment?: string
  /** OpenAlex's locations. */
  locations?: Array<{ address: string, type: string | null, version: string | null, place?: string }>
  pdfUrl?: string
  jatsUrl?: string
  retracted?: boolean
  /** Crossref's `updated-by`; with `only`, another record's `update-to` alone states it. */
  updates?: Array<{ type: string, doi?: string, date?: readonly number[], source?: string, only?: true }>
  /** PubMed's CommentsCorrections. */
  corrections?: Array<{ type: string, source: string, pmid?: string }>
  /** The source returns it with an unclosed element. */
  broken?: boolean
}

export const authorsOf = ({ authors = [['Ada', 'Lovelace'], ['Émile', 'Borel']] }: Publication) => authors

/** Whether title or abstract contains a word of the query. Query operators are ignored. */
export function matchesQuery (paper: Publication, query: string): boolean {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []
  const text = `${paper.title} ${paper.abstract}`.toLowerCase()
  return words.length === 0 || words.some(word => text.includes(word))
}

/** A publication with every field that sources state. */
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

/** As many papers on editing, each with identifiers of its own. */
export const manyPapers = (count: number, part: Partial<Publication> = {}): Publication[] =>
  Array.from({ length: count }, (_, at) => ({
    title: `Editing paper ${at}`,
    abstract: 'On editing.',
    date: `2026-11-${String((at % 20) + 1).padStart(2, '0')}`,
    doi: `10.1000/many.${at}`,
    arxiv: `2611.${String(at).padStart(5, '0')}`,
    pmid: String(42_000_000 + at),
    openalex: `W${5_000_000 + at}`,
    ...part
  }))
