import { saveZoteroSync } from '../../../db/queries/zotero.js'
import { ZoteroProjectResult, ZoteroSyncInput } from '../../../schemas/zotero.js'
import { InvalidArguments, ProjectNotFound } from '../../errors/operation-errors.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { listCollections } from '../../zotero/collections.js'
import { openOwnZotero } from '../../zotero/own-zotero.js'
import { translateZoteroErrors } from '../../zotero/translate-errors.js'
import { zoteroLibraries } from './zotero-libraries.js'
import { zoteroProjectGet } from './zotero-project-get.js'

/** A person waits for the answer. */
const timeoutMs = 30_000

/** @throws ProjectNotFound, NotFound if the account is not connected, InvalidArguments, Forbidden, RateLimited, Unavailable */
export const zoteroProjectSet = operation({
  name: 'zotero_project_set',
  title: 'Sync a project with Zotero',
  description:
    'Sets which Zotero collections a project reads, and which one receives its starred papers. The first sync follows within a minute, ' +
    'later ones every hour.',
  input: ZoteroSyncInput,
  output: ZoteroProjectResult,
  async handler (context, { project_id, library, collections = [], learn = false, target = null }) {
    const { db, account } = context
    await requireProject(context, project_id)
    if (collections.length === 0 && target === null) {
      throw new InvalidArguments('collections and target are empty. Set a collection to read, or one for starred papers.', {
        userMessage: 'Choose a collection to read, or one for starred papers.'
      })
    }
    const { items: libraries } = await zoteroLibraries.run(context, {})
    const chosen = libraries.find(each => each.library === library)
    if (chosen === undefined) {
      throw new InvalidArguments(`library is ${library}, which your Zotero key cannot read. GET /api/zotero/libraries lists them.`, {
        userMessage: 'Your Zotero key cannot read this library. Choose another, or change the key’s permissions at Zotero.'
      })
    }
    if (target !== null && !chosen.writable) {
      const advice = 'Create one at https://www.zotero.org/settings/keys.'
      throw new InvalidArguments(`target needs a key that may write to ${chosen.name}. ${advice}`, {
        userMessage: `Your key cannot add items to ${chosen.name}. Create a key with write access and connect again.`
      })
    }
    const all = new Map(
      (await translateZoteroErrors(async () => {
        const zotero = await openOwnZotero(context, AbortSignal.timeout(timeoutMs))
        return await listCollections(zotero, library)
      })).map(collection => [collection.key, collection])
    )
    const named = (argument: string, key: string) => {
      const collection = all.get(key)
      if (collection !== undefined) return collection
      throw new InvalidArguments(`${argument} has ${key}, which ${chosen.name} does not have. GET /api/zotero/collections lists them.`, {
        userMessage: 'One of the collections no longer exists in Zotero. Open the page again and choose others.'
      })
    }
    const saved = await saveZoteroSync(db, account.id, project_id, {
      library,
      library_name: chosen.name,
      collections: [...new Set(collections)].map(key => named('collections', key)),
      learn,
      target: target === null ? null : named('target', target)
    })
    if (!saved) throw new ProjectNotFound(project_id)
    return await zoteroProjectGet.run(context, { project_id })
  }
})
