import { NoInput } from '../../../schemas/empty.js'
import { ZoteroLibraries } from '../../../schemas/zotero.js'
import { operation } from '../operation.js'
import { accessTo } from '../../zotero/collections.js'
import { openOwnZotero } from '../../zotero/own-zotero.js'
import { translateZoteroErrors } from '../../zotero/translate-errors.js'

/** A person waits for the answer. */
const timeoutMs = 30_000

/** @throws NotFound if the account is not connected, Forbidden if Zotero rejects its key, RateLimited, Unavailable */
export const zoteroLibraries = operation({
  name: 'zotero_libraries',
  title: 'List Zotero libraries',
  description: 'Returns the libraries that the account’s Zotero key can read: the user’s own and those of groups.',
  input: NoInput,
  output: ZoteroLibraries,
  async handler (context) {
    return await translateZoteroErrors(async () => {
      const zotero = await openOwnZotero(context, AbortSignal.timeout(timeoutMs))
      const key = await zotero.key()
      const mayReadGroups = key.allGroups.read || [...key.groups.values()].some(({ read }) => read)
      const groups = mayReadGroups ? await zotero.groups(key.userId) : []
      const all = [
        { library: `users/${key.userId}`, name: 'My Library' },
        ...groups.map(({ id, name }) => ({ library: `groups/${id}`, name }))
      ]
      return {
        items: all.flatMap(each => {
          const { read, write } = accessTo(each.library, key)
          return read ? [{ ...each, writable: write }] : []
        })
      }
    })
  }
})
