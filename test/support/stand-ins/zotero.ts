import { randomInt } from 'node:crypto'
import type { Test } from 'tap'
import { type Answer, json, type ReceivedRequest, type StandIn, standIn } from './server.js'

type Fields = Record<string, unknown>

interface StoredItem { key: string, version: number, data: Fields, added: number }

interface Library {
  version: number
  items: Map<string, StoredItem>
  collections: Map<string, { name: string, parentCollection: string | false }>
  deleted: Array<{ key: string, version: number }>
}

/** Zotero's Web API, with means to change its libraries as their owner does. */
export interface ZoteroStandIn extends StandIn {
  /** Keys that it accepts, with what they may do. */
  keys: Map<string, { library: boolean, write: boolean }>
  addCollection: (name: string, options?: { library?: string, parent?: string }) => string
  deleteCollection: (key: string, library?: string) => void
  /** Adds an item, as Zotero's own programs do. */
  addItem: (data: Fields, library?: string) => string
  changeItem: (key: string, data: Fields, library?: string) => void
  deleteItem: (key: string, library?: string) => void
  items: (library?: string) => StoredItem[]
  /** Called before a request is answered; its answer, if any, is sent instead. */
  intercept: ((request: ReceivedRequest) => Answer | undefined) | undefined
  /** Called after a request was processed; "break" loses its answer. */
  afterwards: ((request: ReceivedRequest) => 'break' | undefined) | undefined
}

export const zoteroUser = 4711
const own = `users/${zoteroUser}`
const group = 'groups/77'
const alphabet = '23456789ABCDEFGHIJKLMNPQRSTUVWXYZ'
const newKey = () => Array.from({ length: 8 }, () => alphabet[randomInt(alphabet.length)]).join('')
const isKey = (key: unknown): key is string => typeof key === 'string' && /^[23456789A-NP-Z]{8}$/.test(key)
/** The types that the stand-in knows, with the fields that Zotero's schema gives them. */
const itemFields = ['key', 'version', 'collections', 'tags', 'relations']
const commonFields = [...itemFields, 'itemType', 'title', 'creators', 'abstractNote', 'date', 'language', 'url', 'extra']
const typeFields: Record<string, string[]> = {
  journalArticle: ['publicationTitle', 'volume', 'issue', 'pages', 'DOI', 'ISSN'],
  conferencePaper: ['proceedingsTitle', 'publisher', 'volume', 'pages', 'DOI', 'ISBN'],
  preprint: ['repository', 'archiveID', 'DOI'],
  book: ['publisher', 'volume', 'ISBN'],
  bookSection: ['bookTitle', 'publisher', 'volume', 'pages', 'ISBN'],
  thesis: ['university'],
  report: ['institution', 'pages'],
  document: ['publisher']
}

const text = (status: number, body: string, headers: Record<string, string> = {}): Answer => ({ status, headers, body })

/**
 * Zotero's Web API v3: versions of libraries and items, paging, deletions, writes by key with version 0, write tokens, and the checks of
 * item types. @see https://www.zotero.org/support/dev/web_api/v3/start
 */
export async function zoteroStandIn (t: Test): Promise<ZoteroStandIn> {
  const libraries = new Map<string, Library>(
    [own, group].map(name => [name, { version: 10, items: new Map(), collections: new Map(), deleted: [] }])
  )
  const keys: ZoteroStandIn['keys'] = new Map([['goodkey123456789', { library: true, write: true }]])
  const writeTokens = new Set<string>()
  let clock = 0
  const libraryOf = (name = own) => libraries.get(name)!

  const server = await standIn(t, request => {
    const intercepted = result.intercept?.(request)
    if (intercepted !== undefined) return intercepted
    const answer = respond(request)
    if (result.afterwards?.(request) === 'break') throw new Error('The answer is lost.')
    return answer
  })

  function respond (request: ReceivedRequest): Answer {
    const { method, url: { pathname, searchParams }, headers } = request
    if (headers['zotero-api-version'] !== '3') return text(400, 'Zotero-API-Version must be 3')
    const apiKey = String(headers['zotero-api-key'] ?? '')
    const access = keys.get(apiKey)
    if (access === undefined) return text(403, 'Invalid key')
    if (pathname === '/keys/current') {
      return json({
        key: apiKey,
        userID: zoteroUser,
        username: 'ada',
        displayName: 'Ada',
        access: { user: { ...access, notes: false }, groups: { all: access } }
      })
    }
    if (pathname === `/users/${zoteroUser}/groups`) {
      return listing([{ id: 77, version: 1, data: { id: 77, name: 'Sleep lab' } }], searchParams, 1)
    }
    const [, libraryName = '', path = ''] = /^\/((?:users|groups)\/\d+)\/(.*)$/.exec(pathname) ?? []
    const library = libraries.get(libraryName)
    if (library === undefined || !access.library) return text(403, 'Forbidden')
    if (method === 'POST' && path === 'items') return access.write ? write(request, library, apiKey) : text(403, 'Write access denied')
    if (method !== 'GET') return text(405, 'Method not allowed')
    const since = Number(searchParams.get('since') ?? 0)
    const notModified = headers['if-modified-since-version']
    const version = { 'last-modified-version': String(library.version) }
    if (path === 'deleted') {
      const deleted = library.deleted.filter(each => each.version > since).map(({ key }) => key)
      return { ...json({ collections: [], searches: [], items: deleted, tags: [], settings: [] }), headers: version }
    }
    if (notModified !== undefined && Number(notModified) >= library.version) return { status: 304, headers: version, body: '' }
    if (path === 'collections') {
      const all = [...library.collections].map(([key, data]) => ({ key, version: 1, data: { key, version: 1, ...data } }))
      return listing(all, searchParams, library.version)
    }
    if (path === 'items') {
      const wanted = (searchParams.get('itemKey') ?? '').split(',')
      if (wanted.length > 50) return text(400, 'Too many keys')
      return listing([...library.items.values()].filter(({ key }) => wanted.includes(key)).map(written), searchParams, library.version)
    }
    const [, collection] = /^collections\/([A-Z0-9]{8})\/items\/top$/.exec(path) ?? []
    if (collection === undefined || !library.collections.has(collection)) return text(404, 'Collection not found')
    const items = [...library.items.values()]
      .filter(({ data, version }) => (data.collections as string[]).includes(collection) && data.deleted === undefined && version > since)
      .sort((a, b) => a.added - b.added)
    return listing(items.map(written), searchParams, library.version)
  }

  const written = ({ key, version, data }: StoredItem) =>
    ({ key, version, library: {}, links: {}, meta: {}, data: { ...data, key, version } })

  function listing (all: object[], query: URLSearchParams, version: number): Answer {
    const limit = Number(query.get('limit') ?? 25)
    if (limit > 100) return text(400, 'limit cannot be greater than 100')
    const start = Number(query.get('start') ?? 0)
    return {
      ...json(all.slice(start, start + limit)),
      headers: {
        'content-type': 'application/json',
        'total-results': String(all.length),
        'last-modified-version': String(version),
        'zotero-api-version': '3'
      }
    }
  }

  function write ({ headers, body }: ReceivedRequest, library: Library, apiKey: string): Answer {
    const token = headers['zotero-write-token']
    if (token !== undefined && (token.length < 5 || token.length > 32)) return text(400, 'Write token must be 5-32 characters')
    if (token !== undefined && writeTokens.has(`${apiKey} ${String(token)}`)) return text(412, 'Write token already used')
    const condition = headers['if-unmodified-since-version']
    if (condition !== undefined && Number(condition) < library.version) return text(412, 'Library has been modified')
    const items = JSON.parse(body.toString()) as Fields[]
    if (!Array.isArray(items)) return text(400, 'Uploaded data must be a JSON array')
    if (items.length > 50) return text(413, 'Cannot add more than 50 items at a time')
    const version = library.version + 1
    const outcome = { successful: {} as Fields, success: {} as Fields, unchanged: {} as Fields, failed: {} as Fields }
    for (const [at, item] of items.entries()) {
      const refused = check(item, library)
      if (refused !== undefined) {
        outcome.failed[at] = { key: item.key, ...refused }
        continue
      }
      const key = isKey(item.key) ? item.key : newKey()
      const before = library.items.get(key)
      const { key: _key, version: _version, ...data } = item
      const stored = { key, version, data: { collections: [], ...before?.data, ...data }, added: before?.added ?? ++clock }
      if (before !== undefined && JSON.stringify(before.data) === JSON.stringify(stored.data)) {
        outcome.unchanged[at] = key
        continue
      }
      library.items.set(key, stored)
      outcome.success[at] = key
      outcome.successful[at] = written(stored)
    }
    if (Object.keys(outcome.success).length > 0) library.version = version
    if (token !== undefined) writeTokens.add(`${apiKey} ${String(token)}`)
    return { ...json(outcome), headers: { 'content-type': 'application/json', 'last-modified-version': String(library.version) } }
  }

  function check (item: Fields, library: Library): { code: number, message: string } | undefined {
    const before = isKey(item.key) ? library.items.get(item.key) : undefined
    if (item.key !== undefined && !isKey(item.key)) return { code: 400, message: `'${String(item.key)}' is not a valid item key` }
    if (item.key !== undefined && item.version === undefined) return { code: 428, message: 'A version must be provided' }
    if (before === undefined && Number(item.version ?? 0) > 0) return { code: 404, message: 'Item doesn\'t exist (use 0 instead)' }
    if (before !== undefined && Number(item.version) < before.version) return { code: 412, message: 'Item has been modified' }
    const missing = ((item.collections ?? []) as string[]).find(key => !library.collections.has(key))
    if (missing !== undefined) return { code: 409, message: `Collection ${missing} not found` }
    if (before !== undefined) return undefined
    const fields = typeFields[String(item.itemType)]
    if (fields === undefined) return { code: 400, message: `'${String(item.itemType)}' is not a valid itemType` }
    const invalid = Object.keys(item).find(name => !commonFields.includes(name) && !fields.includes(name))
    if (invalid !== undefined) return { code: 400, message: `'${invalid}' is not a valid field for type '${String(item.itemType)}'` }
    if (String(item.title).includes('Refused')) return { code: 413, message: 'Note is too long' }
    return undefined
  }

  const result: ZoteroStandIn = Object.assign(server, {
    keys,
    intercept: undefined,
    afterwards: undefined,
    addCollection (name: string, { library, parent }: { library?: string, parent?: string } = {}) {
      const key = newKey()
      libraryOf(library).collections.set(key, { name, parentCollection: parent ?? false })
      libraryOf(library).version++
      return key
    },
    deleteCollection (key: string, library?: string) {
      libraryOf(library).collections.delete(key)
      libraryOf(library).version++
    },
    addItem (data: Fields, library?: string) {
      const key = newKey()
      const into = libraryOf(library)
      into.items.set(key, { key, version: ++into.version, data: { itemType: 'journalArticle', collections: [], ...data }, added: ++clock })
      return key
    },
    changeItem (key: string, data: Fields, library?: string) {
      const of = libraryOf(library)
      const before = of.items.get(key)!
      of.items.set(key, { ...before, version: ++of.version, data: { ...before.data, ...data } })
    },
    deleteItem (key: string, library?: string) {
      const of = libraryOf(library)
      of.items.delete(key)
      of.deleted.push({ key, version: ++of.version })
    },
    items: (library?: string) => [...libraryOf(library).items.values()]
  } satisfies Omit<ZoteroStandIn, keyof StandIn>)
  return result
}
