import { bytesOf, type Origin } from './origin.js'

/** The open-access bucket of PubMed Central: a folder for each version of an article. @see https://pmc.ncbi.nlm.nih.gov/tools/pmcaws/ */
export const pmc: Origin = {
  name: 'jats',
  title: 'PubMed Central',
  document: 'the article’s XML',
  mayHave: ({ pmcid }) => pmcid !== null,
  async get ({ fetchConfigured, downloadConfigured, urls, convert }, { pmcid }) {
    const listing = bytesOf(await fetchConfigured('pmc', `${urls.pmc}/?list-type=2&delimiter=/&prefix=${pmcid}.`))
    const versions = [...(listing?.toString('utf8') ?? '').matchAll(/<Prefix>PMC\d+\.(\d{1,4})\/<\/Prefix>/g)].map(([, version]) =>
      Number(version)
    )
    if (versions.length === 0) return null
    const newest = `${pmcid}.${Math.max(...versions)}`
    const xml = await downloadConfigured('pmc', `${urls.pmc}/${newest}/${newest}.xml`)
    return xml === null ? null : await convert('jats', xml)
  }
}
