interface Addressed { id: string, url: string | null, index_url: string | null, doi: string | null }

/**
 * Returns an address to cite a paper by: its DOI, the page of its record in an index, its own address, else its page here. The own address
 * comes last, since files of databases such as Embase state pages of a session. @param baseUrl without a trailing slash
 */
export const paperAddress = ({ id, url, index_url, doi }: Addressed, baseUrl: string): string =>
  [doi === null || doi === '' ? null : doiAddress(doi), index_url, url].find(address => address !== null && address !== '') ??
  `${baseUrl}/papers/${id}`

/** DOIs may contain characters that end an address or begin a query. */
const doiAddress = (doi: string) => `https://doi.org/${encodeURI(doi).replace(/[?#]/g, encodeURIComponent)}`
