interface Addressed { url: string | null, index_url: string | null, doi: string | null }

/** Returns an address to cite a paper by, else its page here. @param baseUrl without a trailing slash */
export const paperAddress = ({ id, ...paper }: Addressed & { id: string }, baseUrl: string): string =>
  citableAddress(paper) ?? `${baseUrl}/papers/${id}`

/**
 * Returns an address to cite a paper by: its DOI, the page of its record in an index, or its own address. That comes last, since files of
 * databases such as Embase state pages of a session, and some name the library that a reader used.
 */
export const citableAddress = ({ url, index_url, doi }: Addressed): string | null =>
  [doi === null || doi === '' ? null : doiAddress(doi), index_url, url].find(address => address !== null && address !== '') ?? null

/** The address of a DOI, which may contain characters that end an address or begin a query. */
export const doiAddress = (doi: string) => `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`

/** The page of a PubMed record. */
export const pubmedAddress = (pmid: string) => `https://pubmed.ncbi.nlm.nih.gov/${encodeURIComponent(pmid.toWellFormed())}/`

/** The page of a preprint on arXiv. @param id may have a version */
export const arxivAddress = (id: string) => `https://arxiv.org/abs/${encodeURI(id.toWellFormed())}`
