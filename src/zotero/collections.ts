import { visibleText } from '../../schemas/visible-text.js'
import type { Zotero } from './client.js'
import type { ZoteroKey } from './responses.js'

/** The key's permissions in a library. */
export function accessTo (library: string, { userId, user, allGroups, groups }: ZoteroKey): { read: boolean, write: boolean } {
  const [kind, id = ''] = library.split('/')
  if (kind === 'users') return id === userId ? user : { read: false, write: false }
  const own = groups.get(id)
  return { read: allGroups.read || own?.read === true, write: allGroups.write || own?.write === true }
}

/** Collections with the names of those that contain them, by name. */
export async function listCollections (zotero: Zotero, library: string): Promise<Array<{ key: string, name: string }>> {
  const all = await zotero.collections(library)
  const byKey = new Map(all.map(collection => [collection.key, collection]))
  const pathOf = ({ name, parent }: typeof all[number], depth = 0): string => {
    const outer = parent === undefined ? undefined : byKey.get(parent)
    return outer === undefined || depth > 10 ? name : `${pathOf(outer, depth + 1)} / ${name}`
  }
  return all.map(collection => ({ key: collection.key, name: pathOf(collection).slice(0, 500).toWellFormed() }))
    .sort((a, b) => a.name < b.name ? -1 : a.name > b.name ? 1 : 0)
}

/** Message for a collection that was deleted in Zotero. */
export const missingCollection = (name: string): string =>
  `The collection “${visibleText(name)}” no longer exists in Zotero. Choose another one.`
