interface Addressed { id: string, url: string | null, index_url: string | null, doi: string | null }

/**
 * Returns an address to cite a paper by: its own, that of its record or DOI, else its page here. @param baseUrl without a trailing slash
 */
export const paperAddress = ({ id, url, index_url, doi }: Addressed, baseUrl: string): string =>
  [url, index_url, doi === null ? null : `https://doi.org/${doi}`].find(address => address !== null && address !== '') ??
  `${baseUrl}/papers/${id}`
