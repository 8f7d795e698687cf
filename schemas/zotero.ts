import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { ProjectId } from './ids.js'
import { Nullable } from './nullable.js'

/** Items of Zotero that a project knows, deleted ones included. */
export const maxZoteroItems = 200_000
/** Collections that a project reads. */
const maxZoteroCollections = 20

const CollectionKey = Type.String({ pattern: '^[A-Z0-9]{8}$', examples: ['ABCD2345'], description: 'Key of a collection.' })
const Library = Type.String({ pattern: '^(users|groups)/[0-9]{1,12}$', examples: ['users/123456'], description: 'users/ID or groups/ID.' })
const nullableTime = (description: string) => Nullable(time(), description)

/** A collection of Zotero. */
export const ZoteroCollection = Type.Object({
  key: CollectionKey,
  name: Type.String({ description: 'Name, prefixed with its parent collections.' })
}, { description: 'A collection.' })
export type ZoteroCollection = Static<typeof ZoteroCollection>

/** A library that a key opens. */
export const ZoteroLibrary = Type.Object({
  library: Library,
  name: Type.String({ description: 'My Library, or the name of the group.' }),
  writable: Type.Boolean({ description: 'Whether the key may add items.' })
}, { description: 'A library.' })
export type ZoteroLibrary = Static<typeof ZoteroLibrary>

/** Connects the account. */
export const ZoteroConnectInput = Type.Object({
  api_key: Type.String({
    writeOnly: true, minLength: 8, maxLength: 100, description: 'A key from https://www.zotero.org/settings/keys.'
  })
}, { additionalProperties: false })

/** The account's connection. */
export const ZoteroConnection = Type.Object({
  connected: Type.Boolean({ description: 'Whether the account has a Zotero key.' }),
  username: Nullable(Type.String(), 'Name of the user at Zotero.'),
  connected_at: nullableTime('Connection time.'),
  key_rejected_at: nullableTime('When Zotero rejected the key; null while it is valid.'),
  paused_until: nullableTime('When Zotero accepts requests again, if it asked for a pause.')
}, { description: 'The connection with Zotero. Never shows the key.' })
export type ZoteroConnection = Static<typeof ZoteroConnection>

/** The libraries that the key of the connection can read. */
export const ZoteroLibraries = Type.Object({ items: Type.Array(ZoteroLibrary, { description: 'Your own library first.' }) })
/** Names a library. */
export const ZoteroCollectionsInput = Type.Object({ library: Library }, { additionalProperties: false })
/** The collections of a library. */
export const ZoteroCollections = Type.Object({ items: Type.Array(ZoteroCollection, { description: 'By name.' }) })

/** Sync settings of a project. */
export const ZoteroSyncInput = Type.Object({
  project_id: ProjectId,
  library: Library,
  collections: Type.Optional(Type.Array(CollectionKey, {
    maxItems: maxZoteroCollections,
    description: 'Collections whose items are added to the feed. Default: none.'
  })),
  learn: Type.Optional(Type.Boolean({ description: 'Upvotes the papers that are added from Zotero.', default: false })),
  target: Type.Optional(Nullable(CollectionKey, 'The collection that receives starred papers. Default: none.'))
}, { additionalProperties: false })

/** Sync settings and last result of a project. */
export const ZoteroSync = Type.Object({
  library: Library,
  library_name: Type.String({ description: 'Name of the library.' }),
  collections: Type.Array(ZoteroCollection, { description: 'Collections whose items are added to the feed.' }),
  learn: Type.Boolean({ description: 'Whether papers from Zotero are upvoted.' }),
  target: Nullable(ZoteroCollection, 'The collection that receives starred papers.'),
  imported: Type.Integer({ description: 'Feed papers imported from or matched in Zotero.' }),
  sent: Type.Integer({ description: 'Items that Litfeed created in Zotero.' }),
  refused: Type.Integer({ description: 'Starred papers that Zotero rejected.' }),
  syncing: Type.Boolean({ description: 'Whether a sync waits or runs.' }),
  next_sync_at: time('Time of the next sync.'),
  last_synced_at: nullableTime('Time of the last complete sync.'),
  last_error: Nullable(Type.String(), 'Error of the last sync; null if it succeeded.')
}, { description: 'Zotero sync of a project.' })
export type ZoteroSync = Static<typeof ZoteroSync>

/** A project's sync; null if it has none. */
export const ZoteroProjectResult = Type.Object({ sync: Nullable(ZoteroSync, 'Null if the project does not sync.') })

/** Counts of one sync. */
export const ZoteroSyncResult = Type.Object({
  added: Type.Integer({ description: 'Papers added to the feed.' }),
  sent: Type.Integer({ description: 'Items created in Zotero or added to the collection.' }),
  paused_until: nullableTime('Set if Zotero asked for a pause; the sync continues then.'),
  more: Type.Boolean({ description: 'Whether more items wait for the next sync, which follows soon.' })
}, { description: 'Counts of a sync.' })
