import { maxDocumentBytes } from '../limits.js'
import { bytesOf, type Origin } from './origin.js'

/** bioRxiv and medRxiv, whose API returns the address of a preprint's JATS. */
export const preprint: Origin = {
  name: 'jats',
  title: 'the preprint server',
  document: 'the article’s XML',
  mayHave: ({ metadata }) => metadata.jatsxml !== undefined,
  async get ({ fetchGuarded, convert }, { metadata }) {
    const bytes = bytesOf(await fetchGuarded(metadata.jatsxml!, { maxBytes: maxDocumentBytes }))
    return bytes === null ? null : await convert('jats', bytes)
  }
}
