import type { Origin } from './origin.js'

/** bioRxiv and medRxiv, whose API returns the address of a preprint's JATS. */
export const preprint: Origin = {
  name: 'jats',
  title: 'The preprint server',
  document: 'the article’s XML',
  mayHave: ({ metadata }) => metadata.jatsxml !== undefined,
  async get ({ downloadGuarded, convert }, { metadata }) {
    const xml = await downloadGuarded(metadata.jatsxml!)
    return xml === null ? null : await convert('jats', xml)
  }
}
