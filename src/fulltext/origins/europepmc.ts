import type { Origin } from './origin.js'

/** Open-access articles as JATS; 404 for the others. @see https://europepmc.org/RestfulWebService */
export const europepmc: Origin = {
  name: 'jats',
  title: 'Europe PMC',
  document: 'the article’s XML',
  mayHave: ({ pmcid }) => pmcid !== null,
  async get ({ downloadConfigured, urls, convert }, { pmcid }) {
    const xml = await downloadConfigured('europepmc', `${urls.europepmc}/${pmcid}/fullTextXML`)
    return xml === null ? null : await convert('jats', xml)
  }
}
