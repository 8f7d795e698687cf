import { maxDocumentBytes } from '../limits.js'
import { bytesOf, type Origin } from './origin.js'

/** Open-access articles as JATS; 404 for the others. @see https://europepmc.org/RestfulWebService */
export const europepmc: Origin = {
  name: 'jats',
  title: 'Europe PMC',
  document: 'the article’s XML',
  mayHave: ({ pmcid }) => pmcid !== null,
  async get ({ fetchConfigured, urls, convert }, { pmcid }) {
    const bytes = bytesOf(await fetchConfigured('europepmc', `${urls.europepmc}/${pmcid}/fullTextXML`, { maxBytes: maxDocumentBytes }))
    return bytes === null ? null : await convert('jats', bytes)
  }
}
