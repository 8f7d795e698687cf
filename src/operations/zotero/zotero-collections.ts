import { ZoteroCollections, ZoteroCollectionsInput } from '../../../schemas/zotero.js'
import { operation } from '../operation.js'
import { listCollections } from '../../zotero/collections.js'
import { openOwnZotero } from '../../zotero/own-zotero.js'
import { translateZoteroErrors } from '../../zotero/translate-errors.js'

/** A person waits for the answer. */
const timeoutMs = 30_000

/** @throws NotFound if the account is not connected, Forbidden if Zotero rejects its key, RateLimited, Unavailable */
export const zoteroCollections = operation({
  name: 'zotero_collections',
  title: 'List Zotero collections',
  description: 'Returns the collections of a Zotero library.',
  input: ZoteroCollectionsInput,
  output: ZoteroCollections,
  async handler (context, { library }) {
    return await translateZoteroErrors(async () => {
      const zotero = await openOwnZotero(context, AbortSignal.timeout(timeoutMs))
      return { items: await listCollections(zotero, library) }
    })
  }
})
